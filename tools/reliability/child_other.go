//go:build !unix

package main

import "os/exec"

// Without process groups the child itself is all that we can reach.

func ownGroup(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killGroup(*exec.Cmd) {}
