package live

import "syscall/js"

// Main serves the script that started the program, as svmkit(name, request) → reply, in JSON, for ever.
func (h Handlers) Main() {
	js.Global().Set("svmkit", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(h.Answer(args[0].String(), []byte(args[1].String())))
	}))
	select {}
}
