"use strict";

// Cells that run in the page. Once the reader has asked for it, the Go compiler, the linker and the packages of the course are loaded, and a Worker
// builds and runs a cell after the declarations of those above it, in their present text. What the reader writes is kept in the browser, and can be
// downloaded as a notebook. The cells' texts and their order are those of the notebook that the page offers.
if (document.documentElement.classList.contains("runs")) (async () => {
	const slug = document.querySelector("main").dataset.lesson, base = new URL("run/", document.baseURI);
	const state = await (await fetch(new URL("run.json", base), { cache: "no-cache" })).json();
	const size = `${Math.round(state.gzip / 1e6)} MB`;

	const make = (tag, attributes = {}, ...children) => {
		const el = document.createElement(tag);
		for (const [k, v] of Object.entries(attributes)) k === "class" ? el.className = v : el.setAttribute(k, v);
		el.append(...children);
		return el;
	};
	const button = (text, pressed) => {
		const b = make("button", { type: "button" }, text);
		b.addEventListener("click", pressed);
		return b;
	};

	// The notebook, with its code cells that are for a kernel; the reader's texts by the cells' ids.
	let notebook, cells;
	const open = async () => {
		notebook = await (await fetch(new URL(`downloads/${slug}.ipynb`, document.baseURI))).json();
		cells = notebook.cells.filter((c) => c.cell_type === "code").map((c, i) => ({ id: c.id, name: `cell${i + 1}`, cell: c, source: [c.source].flat().join("") }));
	};
	const key = `cells ${slug}`;
	let written = {};
	try { written = JSON.parse(localStorage.getItem(key)) ?? {}; } catch { /* for this visit only, then */ }
	const keep = (id, source) => {
		source === undefined ? delete written[id] : written[id] = source;
		try { localStorage.setItem(key, JSON.stringify(written)); } catch { /* as above */ }
	};
	const text = (c) => written[c.id] ?? c.source;

	// The tools, loaded once, and the Worker that has them, begun anew after each stop.
	let tools, worker, running;
	const begin = () => {
		worker = new Worker(new URL("assets/cells-worker.js", document.baseURI));
		worker.addEventListener("message", ({ data }) => {
			if (!running || data.id !== running.id) return;
			data.done ? running.end(data) : running.output(data.output);
		});
		worker.addEventListener("error", (e) => { e.preventDefault(); halt({ failed: "worker", error: e.message }); });
		worker.postMessage(tools);
	};
	const halt = (result) => {
		worker.terminate();
		begin();
		running?.end(result);
	};
	// The service worker, which keeps for a visit without a network what is fetched from now on, and what this page has fetched. Not every
	// browser has one, or lets this site have it.
	const controlled = async () => {
		const has = navigator.serviceWorker;
		if (!has) return;
		const taken = new Promise((resolve) => has.addEventListener("controllerchange", resolve, { once: true }));
		const url = new URL(`sw.js?${state.stamp}`, document.baseURI).href;
		await has.register(url);
		if (has.controller?.scriptURL !== url) await Promise.race([taken, new Promise((_, reject) => setTimeout(reject, 10000))]);
		for (const { name } of performance.getEntriesByType("resource")) if (name.startsWith(document.baseURI.replace(/[^/]*$/, ""))) fetch(name).catch(() => {});
		fetch(location.href).catch(() => {});
	};
	const load = async (progress) => {
		await controlled().catch(() => {});
		const fetched = async (name) => {
			const answer = await fetch(new URL(name, base));
			if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
			return answer;
		};
		const compiled = async (name) => {
			const answer = await fetched(name);
			if (answer.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(answer);
			return WebAssembly.compile(await answer.arrayBuffer());
		};
		let bytes = 0;
		const counted = new TransformStream({ transform(chunk, to) { bytes += chunk.length; progress(bytes); to.enqueue(chunk); } });
		const archives = async () => new Response((await fetched(state.archives)).body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"))).blob();
		const names = Object.keys(state.tools);
		const [pack, , ...modules] = await Promise.all([archives(), open(), ...names.map((name) => compiled(state.tools[name]))]);
		tools = { start: new URL(state.start, base).href, tools: Object.fromEntries(names.map((name, i) => [name, modules[i]])), archives: pack, steps: state.steps };
		begin();
	};
	let number = 0;
	const execute = (c, output) => new Promise((resolve) => {
		const id = ++number;
		running = { id, output, end: (result) => { running = null; resolve(result); } };
		worker.postMessage({ id, cells: cells.slice(0, cells.indexOf(c) + 1).map((c) => ({ name: c.name, source: text(c) })) });
	});

	// What a cell shows, as the pages set it.
	const marks = { "✓ ": "holds", "✗ ": "fails", "✎ ": "todo" };
	const stream = (into, name, text) => {
		for (const line of text.replace(/\u001b\[[0-9;]*m/g, "").split("\n")) {
			const kind = marks[line.slice(0, 2)], last = into.lastElementChild;
			if (kind) {
				const list = last?.matches("ul.checks") ? last : into.appendChild(make("ul", { class: "checks" }));
				list.append(make("li", { class: kind }, make("span", { class: "mark" }, line[0]), line.slice(1)));
			} else if (line || last?.matches("pre")) {
				const box = last?.matches("pre") && last.dataset.name === name ? last : into.appendChild(make("pre", { class: name === "stderr" ? "text stderr" : "text", tabindex: 0, "data-name": name }));
				box.append(line + "\n");
			}
		}
	};
	const picture = (src, alt, size, caption) => {
		const img = make("img", { src, alt });
		for (const side of ["width", "height"]) if (size?.[side]) img.setAttribute(side, size[side]);
		return make("figure", {}, make("div", { class: "scroll" }, img), make("figcaption", {}, caption));
	};
	// An explorable's stored pictures, behind a slider.
	const slider = (page) => {
		const frames = [...page.querySelectorAll("details.explorable img")], from = page.querySelector("input[type=range]"), output = make("output");
		const label = page.querySelector("label").firstChild.textContent.trim();
		const input = make("input", { type: "range", min: 0, max: frames.length - 1, value: from.value, "aria-label": label });
		const figure = picture(frames[0].getAttribute("src"), "", null, "");
		const move = () => {
			const f = frames[input.value], img = figure.querySelector("img");
			img.src = f.getAttribute("src");
			img.alt = f.alt;
			output.textContent = f.dataset.value;
			input.setAttribute("aria-valuetext", f.dataset.value);
			figure.querySelector("figcaption").textContent = f.dataset.caption;
		};
		input.addEventListener("input", move);
		move();
		return make("div", { class: "explorable" }, make("label", {}, label + " ", input, output), figure);
	};
	const display = (into, o) => {
		const said = o.metadata?.svmkit ?? {};
		if (said.role === "caption") return;
		const page = o.data["text/html"] && new DOMParser().parseFromString(o.data["text/html"], "text/html");
		if (said.role === "explorable" && page) into.append(slider(page));
		else if (page?.querySelector("img")) into.append(picture(page.querySelector("img").getAttribute("src"), said.alt, o.metadata["image/png"], said.caption));
		else if (o.data["image/png"]) into.append(picture("data:image/png;base64," + o.data["image/png"], said.alt, o.metadata["image/png"], said.caption));
		else if (said.role === "text") into.append(make("p", {}, o.data["text/plain"]));
		else stream(into, "stdout", o.data["text/plain"] ?? "");
		const number = into.closest(".cell")?.dataset.figure;
		if (number) into.querySelector("figcaption")?.setAttribute("data-number", number);
	};

	// A fault of the compiler, with a link to its line.
	const faults = (into, c, text) => {
		const box = into.appendChild(make("div", { class: "error", role: "group", "aria-label": "Error" }, make("p", {}, make("strong", {}, "This cell does not compile."))));
		for (const line of text.trim().split("\n")) {
			const m = line.match(/^(cell\d+):(\d+):(?:(\d+):)? (.*)$/);
			const place = m && cells.find((other) => other.name === m[1]);
			if (!place) { box.append(make("p", {}, line)); continue; }
			const link = make("a", { href: `#cell-${place.id}` }, place === c ? `line ${m[2]}` : `line ${m[2]} of an earlier cell`);
			link.addEventListener("click", (e) => { e.preventDefault(); views.get(place.id)?.show(Number(m[2])); });
			box.append(make("p", {}, link, `: ${m[4]}`));
		}
	};

	// loaded tells whether all is there. Before anything is loaded, it names the size, and asks.
	let ready; // a promise of the loaded tools, once asked for
	const loaded = async (bar, say) => {
		if (!ready) {
			const asker = document.activeElement;
			const yes = await new Promise((answer) => {
				const words = `The Go compiler and the course's packages are loaded once: ${size}. `;
				const question = make("span", { class: "ask", role: "group", "aria-label": words }, words,
					button("Load and run", () => answer(true)), button("Not now", () => answer(false)));
				bar.querySelector(".ask")?.remove();
				bar.append(question);
				question.querySelector("button").focus();
			});
			bar.querySelector(".ask")?.remove();
			asker.focus(); // the question had the focus
			if (!yes) return false;
		}
		let told = 0; // not each piece to a screen reader
		ready ??= load((bytes) => { if (bytes > told + 5e6) say(`Loading: ${Math.round((told = bytes) / 1e6)} MB of packages …`); });
		say("Loading …");
		try {
			await ready;
		} catch (error) {
			ready = null;
			say(`It could not be loaded (${error.message}).`);
			return false;
		}
		say("");
		return true;
	};

	// A button that has begun something stays where it is, with the focus, until that has ended, and the button that stops it is shown.
	const begun = (button, stop) => {
		button.setAttribute("aria-disabled", "true");
		stop.hidden = false;
	};
	const ended = (button, stop) => {
		button.removeAttribute("aria-disabled");
		if (document.activeElement === stop) button.focus();
		stop.hidden = true;
	};

	const views = new Map();
	const view = (el) => {
		const id = el.id.slice("cell-".length), source = el.querySelector(".source"), code = source.querySelector("pre"), fold = source.closest("details.plumbing");
		const bar = source.querySelector(".run"), [runButton, editButton, stop, reset] = bar.querySelectorAll("button"), status = bar.querySelector(".status");
		const stored = el.querySelector(":scope > .output, :scope > .guess"), moving = el.classList.contains("moving");
		const shown = make("div", { class: "output ran", role: "log", "aria-label": "Output of this cell", hidden: "" });
		let area, c;
		const say = (s) => { status.textContent = s; };
		const fit = () => { area.rows = Math.max(3, area.value.split("\n").length + 1); };
		const edit = () => {
			if (area) return;
			area = make("textarea", { spellcheck: false, autocapitalize: "off", autocomplete: "off", "aria-label": "Code of this cell" });
			area.value = text(c);
			area.addEventListener("input", () => { keep(id, area.value === c.source ? undefined : area.value); reset.hidden = written[id] === undefined; fit(); });
			area.addEventListener("keydown", (e) => {
				if (e.key !== "Enter") return;
				if (e.shiftKey || e.ctrlKey || e.metaKey) { e.preventDefault(); run(); return; }
				e.preventDefault(); // the next line is indented as this one
				const before = area.value.slice(0, area.selectionStart), indent = before.slice(before.lastIndexOf("\n") + 1).match(/^\s*/)[0];
				area.setRangeText("\n" + indent, area.selectionStart, area.selectionEnd, "end");
				area.dispatchEvent(new Event("input"));
			});
			code.hidden = true;
			code.after(area);
			fit();
		};
		const run = async () => {
			if (running) {
				if (stop.hidden) say("Another cell is running.");
				return "";
			}
			if (written[id] !== undefined) edit();
			shown.replaceChildren();
			shown.hidden = false;
			if (stored && !moving) stored.hidden = true;
			begun(runButton, stop);
			say("Running …");
			const began = performance.now(), outputs = [], rest = { stdout: "", stderr: "" }; // of a text, what has no line end yet
			const done = await execute(c, (o) => {
				outputs.push(o);
				if (o.output_type !== "stream") { display(shown, o); return; }
				const text = rest[o.name] + o.text, end = text.lastIndexOf("\n");
				rest[o.name] = text.slice(end + 1);
				if (end >= 0) stream(shown, o.name, text.slice(0, end));
			});
			for (const name in rest) if (rest[name]) stream(shown, name, rest[name]);
			ended(runButton, stop);
			reset.hidden = false;
			const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`;
			if (done.failed === "assemble" || done.failed === "compile") faults(shown, c, done.message);
			else if (done.failed && done.failed !== "stopped") {
				const memory = outputs.map((o) => o.text).join("").includes("out of memory");
				shown[memory ? "prepend" : "append"](make("div", { class: "error", role: "group", "aria-label": "Error" }, make("p", {}, make("strong", {},
					memory ? "This cell asked for more memory than a page gives it, 1 GB." : "This cell ended with an error."), ` ${done.error ?? done.message ?? ""}`)));
			}
			el.dataset.ran = done.failed || "ok";
			say(done.failed === "stopped" ? `Stopped after ${seconds}.` : `${seconds}`);
			c.outputs = outputs;
			return el.dataset.ran;
		};
		runButton.addEventListener("click", () => ask().then((loaded) => { if (loaded) run(); }));
		editButton.addEventListener("click", () => ask().then((loaded) => { if (loaded) { edit(); area.focus(); } }));
		stop.addEventListener("click", () => halt({ failed: "stopped" }));
		reset.addEventListener("click", () => {
			keep(id);
			area?.remove();
			area = null;
			code.hidden = false;
			shown.hidden = true;
			if (stored) stored.hidden = false;
			runButton.focus();
			reset.hidden = true;
			say("");
		});
		reset.hidden = written[id] === undefined;
		const ask = async () => {
			bar.classList.remove("corner");
			if (!await loaded(bar, say)) return false;
			c = cells.find((one) => one.id === id);
			return c !== undefined;
		};
		(fold ?? source).after(shown);
		if (written[id] !== undefined) {
			bar.classList.remove("corner");
			say("You have changed this cell: Edit shows your text.");
		}
		views.set(id, { run() { bar.classList.remove("corner"); c ??= cells.find((one) => one.id === id); return run(); }, show(line) {
			for (let up = el; up; up = up.parentElement) if (up instanceof HTMLDetailsElement) up.open = true;
			c ??= cells.find((one) => one.id === id);
			edit();
			const at = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
			area.focus();
			area.setSelectionRange(at, area.value.indexOf("\n", at) < 0 ? area.value.length : area.value.indexOf("\n", at));
		} });
	};
	for (const el of document.querySelectorAll(".cell")) if (el.querySelector(".source .run")) view(el);

	// The whole lesson, with what the reader wrote and saw, as a notebook.
	const bar = document.querySelector(".run.whole"), [all, stopAll, download] = bar.querySelectorAll("button"), progress = bar.querySelector(".status");
	download.addEventListener("click", async () => {
		if (!notebook) await open();
		const copy = structuredClone(notebook);
		for (const cell of copy.cells) {
			const c = cells.find((one) => one.id === cell.id);
			if (!c) continue;
			if (written[c.id] !== undefined) Object.assign(cell, { source: written[c.id], outputs: [], execution_count: null });
			if (c.outputs) cell.outputs = c.outputs.map((o) => o.output_type === "stream" ? { ...o } : { ...o, metadata: o.metadata ?? {} });
		}
		const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(copy, null, 1)], { type: "application/x-ipynb+json" })), download: `${slug}.ipynb` });
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 10000);
	});

	// All cells in their order, up to the first that ends with an error.
	let stopped;
	all.addEventListener("click", async () => {
		if (running || !stopAll.hidden || !await bar.ask()) return;
		begun(all, stopAll);
		stopped = false;
		let end = "ok", done = 0, last;
		for (const c of cells) {
			if (!views.has(c.id)) continue;
			progress.textContent = `Cell ${++done} of ${views.size} …`;
			last = c;
			end = await views.get(c.id).run();
			if (stopped) break;
			if (end === "run" && c.cell.metadata?.tags?.includes("raises-exception")) end = "ok"; // as it is meant to
			if (end !== "ok") break;
		}
		ended(all, stopAll);
		progress.replaceChildren(end === "ok" && !stopped ? `All ${done} cells have run.` : stopped ? `Stopped at cell ${done}.` : make("a", { href: `#cell-${last.id}` }, `Cell ${done} ended with an error.`));
	});
	stopAll.addEventListener("click", () => { stopped = true; halt({ failed: "stopped" }); });
	bar.ask = () => loaded(bar, (s) => { progress.textContent = s; });
	document.documentElement.dataset.cells = "ready";
})().catch(() => document.documentElement.classList.remove("runs")); // without the compiler there is nothing to press
