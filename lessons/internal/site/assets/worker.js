"use strict";

// The Worker of live figures. The first message names the script that starts a Go program and the program; then each message
// {id, name, request} is a call of it, which is answered by {id, reply}.
let ready;
addEventListener("message", async ({ data }) => {
	if (data.start) {
		ready = begin(data.start, data.program);
		return;
	}
	try {
		await ready;
		postMessage({ id: data.id, reply: JSON.parse(svmkit(data.name, JSON.stringify(data.request))) });
	} catch (e) {
		postMessage({ id: data.id, reply: { error: String(e) }, broken: true });
	}
});

async function begin(start, program) {
	importScripts(start);
	const go = new Go();
	const { instance } = await WebAssembly.instantiateStreaming(fetch(program), go.importObject);
	go.run(instance); // until the program waits for calls
}
