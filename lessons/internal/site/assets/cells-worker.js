"use strict";

// The Worker that builds and runs cells, with the assembler of cells, the Go compiler and the linker as WebAssembly. The first message
// { start, tools, archives, steps } names the script that starts a Go program and holds the compiled tools by name, the tar of the files that they read, and
// their command lines. Then each { id, cells } runs the last of some cells, and { id, program } a program that is built already. The
// answers are any number of { id, output }, as outputs of a notebook, and a last { id, done } with the times, the status, and the step that failed, if one did, with its message.

// Files are in memory. What is written grows by doubling.
const files = new Map(), open = new Map();
let next = 10;
const fault = (code) => Object.assign(new Error(code), { code });
const O = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const directories = new Set(["/", "/tmp"]);
const absolute = (path) => path.startsWith("/") ? path : "/" + path.replace(/^\.\//, "");
const found = (path) => files.get(absolute(path)) ?? (() => { throw fault("ENOENT"); })();
const handle = (fd) => open.get(fd) ?? (() => { throw fault("EBADF"); })();
const resize = (file, size) => {
	if (size > file.data.length || file.shared) {
		const data = new Uint8Array(Math.max(size, 2 * file.size, 4096));
		data.set(file.data.subarray(0, Math.min(size, file.size)));
		file.data = data;
		file.shared = false;
	}
	if (size < file.size) file.data.fill(0, size, file.size);
	file.size = size;
};
const stat = (size, directory) => ({ dev: 0, ino: 0, mode: directory ? 0o40777 : 0o100666, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096, blocks: 0,
	atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => directory });
const calls = {
	open(path, flags) {
		path = absolute(path);
		if (directories.has(path)) { open.set(++next, { directory: true }); return next; }
		let file = files.get(path);
		if (file && flags & O.O_EXCL) throw fault("EEXIST");
		if (!file && !(flags & O.O_CREAT)) throw fault("ENOENT");
		if (!file) files.set(path, file = { data: new Uint8Array(0), size: 0 });
		if (flags & O.O_TRUNC) resize(file, 0);
		open.set(++next, { file, at: 0, append: flags & O.O_APPEND });
		return next;
	},
	close(fd) { handle(fd); open.delete(fd); },
	read(fd, buffer, offset, length, position) {
		if (fd === 0) return 0;
		const h = handle(fd), at = position ?? h.at;
		const n = Math.max(0, Math.min(length, h.file.size - at));
		buffer.set(h.file.data.subarray(at, at + n), offset);
		if (position === null) h.at += n;
		return n;
	},
	write(fd, buffer, offset, length, position) {
		const bytes = buffer.subarray(offset, offset + length);
		if (fd === 1 || fd === 2) { written(fd, bytes); return length; }
		const h = handle(fd), at = position ?? (h.append ? h.file.size : h.at);
		if (at + length > h.file.size || h.file.shared) resize(h.file, Math.max(h.file.size, at + length));
		h.file.data.set(bytes, at);
		if (position === null) h.at = at + length;
		return length;
	},
	stat(path) { return directories.has(absolute(path)) ? stat(0, true) : stat(found(path).size, false); },
	lstat(path) { return this.stat(path); },
	fstat(fd) { return fd < 3 ? stat(0, false) : handle(fd).directory ? stat(0, true) : stat(handle(fd).file.size, false); },
	ftruncate(fd, length) { resize(handle(fd).file, length); },
	truncate(path, length) { resize(found(path), length); },
	rename(from, to) { files.set(absolute(to), found(from)); files.delete(absolute(from)); },
	unlink(path) { found(path); files.delete(absolute(path)); },
	mkdir(path) { directories.add(absolute(path)); },
	rmdir(path) { directories.delete(absolute(path)); },
	readdir(path) { return [...files.keys()].filter((name) => name.startsWith(absolute(path).replace(/\/?$/, "/"))).map((name) => name.slice(name.lastIndexOf("/") + 1)); },
	fsync() {}, chmod() {}, fchmod() {}, utimes() {},
};
globalThis.fs = { constants: O };
for (const name of ["open", "close", "read", "write", "stat", "lstat", "fstat", "ftruncate", "truncate", "rename", "unlink", "mkdir", "rmdir", "readdir",
	"fsync", "chmod", "fchmod", "utimes", "chown", "fchown", "lchown", "link", "symlink", "readlink"]) {
	globalThis.fs[name] = (...args) => {
		const answer = args.pop();
		let result;
		try {
			if (!calls[name]) throw fault("ENOSYS");
			result = calls[name](...args);
		} catch (error) {
			answer(error.code ? error : fault("EIO"));
			return;
		}
		answer(null, result);
	};
}
globalThis.fs.writeSync = (fd, bytes) => calls.write(fd, bytes, 0, bytes.length, null);
globalThis.process ??= { getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, getgroups: () => [], pid: -1, ppid: -1, umask: () => 0, cwd: () => "/", chdir() {} };

// What a program writes and displays; of an endless text the beginning.
const longest = 200000;
let output = () => {}, decoders, length;
const written = (fd, bytes) => {
	if (length > longest) return;
	let text = decoders[fd].decode(bytes, { stream: true });
	length += text.length;
	if (length > longest) text += "\n… more is not shown\n";
	if (text) output({ output_type: "stream", name: fd === 1 ? "stdout" : "stderr", text });
};
globalThis.svmkitDisplay = (text) => output({ output_type: "display_data", ...JSON.parse(text) });

// run runs a Go program to its end, and returns its exit status.
const run = async (module, args) => {
	decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
	length = 0;
	const go = new Go();
	let status = 0;
	go.argv = args;
	go.env = { GOOS: "js", GOARCH: "wasm", PWD: "/", TMPDIR: "/tmp", GOMEMLIMIT: String(most / 8 * 7) };
	go.exit = (code) => {
		status = code;
		for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // a program that has ended cannot be woken
		go._scheduledTimeouts.clear();
	};
	const instance = await WebAssembly.instantiate(module, go.importObject);
	// A program in which all goroutines wait, and no timer is set, waits for ever: Go then says so, if it is woken.
	const watch = setInterval(() => {
		if (!go.exited && !go._scheduledTimeouts.size) {
			go._pendingEvent = { id: 0 };
			go._resume();
		}
	}, 1000);
	try {
		await go.run(instance);
	} catch (error) { // a trap of WebAssembly: the memory is exhausted, or the stack
		output({ output_type: "stream", name: "stderr", text: `${error}\n` });
		status ||= 2;
	} finally {
		clearInterval(watch);
	}
	return status;
};

// A cell has no way to the network: what it can import does not reach these, and they are gone.
const network = ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "BroadcastChannel", "Worker", "importScripts", "indexedDB", "caches"];

let given;
const setUp = async ({ start, tools, archives, steps }) => {
	importScripts(start);
	for (const name of network) Object.defineProperty(globalThis, name, { value: undefined });
	given = { tools, steps };
	if (!archives) return;
	const tar = new Uint8Array(await archives.arrayBuffer()), text = new TextDecoder();
	const field = (at, length) => text.decode(tar.subarray(at, at + length)).replace(/\0.*$/, "");
	for (let at = 0; at + 512 <= tar.length && tar[at];) {
		const size = parseInt(field(at + 124, 12), 8);
		files.set("/" + field(at, 100), { data: tar.subarray(at + 512, at + 512 + size), size, shared: true });
		at += 512 + Math.ceil(size / 512) * 512;
	}
	// Tables of offsets come as the differences of neighbours, which are smaller when compressed.
	for (const line of text.decode(files.get("/offsets").data).trim().split("\n")) {
		const [name, from, to] = line.split(" "), data = files.get("/" + name).data;
		const table = new DataView(data.buffer, data.byteOffset + Number(from), to - from);
		for (let at = 4; at < table.byteLength; at += 4) table.setUint32(at, table.getUint32(at - 4, true) + table.getUint32(at, true), true);
	}
};

const build = async (cells, times) => {
	const text = new TextEncoder().encode(JSON.stringify(cells));
	files.set("/cells.json", { data: text, size: text.length });
	for (const [tool, ...args] of given.steps) {
		const began = performance.now();
		let message = "";
		output = (o) => { message += o.text; };
		const status = await run(given.tools[tool], [tool, ...args]);
		times[tool] = performance.now() - began;
		if (status) return { failed: tool, status, message };
	}
	const program = found("/main.wasm");
	return { program: await WebAssembly.compile(bounded(program.data.subarray(0, program.size))) };
};

// bounded gives a program's memory a maximum, so that a cell which allocates without end is told so by Go before the browser, or the device,
// suffers. It is written into the program's section for memories, which the linker leaves without one.
const most = 1 << 30, pageSize = 1 << 16, memorySection = 5;
const bounded = (program) => {
	const number = (n) => n < 128 ? [n] : [n & 127 | 128, ...number(n >>> 7)]; // 7 bits a byte
	for (let at = 8; at < program.length;) {
		const section = program[at++], before = at;
		let size = 0;
		for (let shift = 0, more = true; more; shift += 7, at++) {
			size |= (program[at] & 127) << shift;
			more = program[at] & 128;
		}
		if (section === memorySection && program[at] === 1 && program[at + 1] === 0) { // one memory, without a maximum: its least size follows
			const memory = [1, 1, ...program.subarray(at + 2, at + size), ...number(most / pageSize)];
			const result = new Uint8Array(program.length + 16);
			let end = 0;
			for (const part of [program.subarray(0, before), number(memory.length), memory, program.subarray(at + size)]) {
				result.set(part, end);
				end += part.length;
			}
			return result.subarray(0, end);
		}
		at += size;
	}
	return program;
};

let ready;
addEventListener("message", async ({ data }) => {
	if (data.start) {
		ready = setUp(data);
		ready.catch(() => {}); // told to the first request
		return;
	}
	const { id } = data, times = {};
	try {
		await ready;
		const built = data.program ? data : await build(data.cells, times);
		if (built.failed) { postMessage({ id, done: true, ...built, times }); return; }
		output = (o) => postMessage({ id, output: o });
		const began = performance.now();
		const status = await run(built.program, ["cell"]);
		times.run = performance.now() - began;
		postMessage({ id, done: true, status, failed: status ? "run" : "", times });
	} catch (error) {
		postMessage({ id, done: true, status: 2, failed: "worker", error: String(error), times });
	}
});
