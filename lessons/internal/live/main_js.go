package live

import "syscall/js"

// Main serves the functions to the script that started the program, as svmkit(name, request) → reply, both JSON. It does
// not return.
func (f Functions) Main() {
	js.Global().Set("svmkit", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(f.Answer(args[0].String(), []byte(args[1].String())))
	}))
	select {}
}
