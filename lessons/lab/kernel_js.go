package lab

import "fmt"

// In a browser there is no kernel: what is displayed is text.

func flush() {}

func display(data, _ map[string]any) { fmt.Fprintln(out, data["text/plain"]) }

// Live is [Explore]: there is no kernel for the slider.
func Live(e Explorable) { Explore(e) }
