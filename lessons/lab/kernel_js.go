//go:build !nofigures

package lab

import (
	"encoding/json"
	"fmt"
	"syscall/js"
)

// taker is the page's function that takes what a cell displays: JSON with "data" and "metadata".
const taker = "svmkitDisplay"

func flush() {}

// display hands one output to the page. Where no page takes it, it is printed as text.
func display(data, metadata map[string]any) {
	take := js.Global().Get(taker)
	if take.Type() != js.TypeFunction {
		fmt.Fprintln(out, data["text/plain"])
		return
	}
	take.Invoke(string(Must(json.Marshal(map[string]any{"data": data, "metadata": metadata}))))
}

// Live is [Explore]: there is no kernel for the slider.
func Live(e Explorable) { Explore(e) }
