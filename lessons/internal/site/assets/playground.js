"use strict";

// The playground. What is set is one state; each change of it is drawn by the program of the live figures, which also says the link of
// the state. The calls, and what drags a point, are those of explorable.js.
{
	const { load, call, running, make, short, range, latest, plane, place, nearest, draggable } = window.live;
	const at = (id) => document.getElementById("play-" + id);
	const figure = document.getElementById("play"), stage = figure.querySelector(".stage"), caption = figure.querySelector("figcaption"), verdict = figure.querySelector(".verdict");
	const settings = document.querySelector(".settings"), phone = matchMedia("(max-width: 40rem)");
	const names = ["A", "B", "C", "D", "E"], steps = 2000, most = 300, limit = [4, 3];
	let state, reply = null, tool = "move", current = 0, handles = [];

	// History. Changes with the same key that follow each other, as those of a drag, are one step of it.
	const past = [], future = [];
	let key = null;
	const change = (k, alter) => {
		const before = JSON.stringify(state);
		alter(state);
		if (JSON.stringify(state) === before) return;
		if (k === null || k !== key) past.push(before);
		if (past.length > 200) past.shift();
		future.length = 0;
		key = k;
		return show();
	};
	const travel = (from, to) => {
		if (from.length === 0) return;
		to.push(JSON.stringify(state));
		state = JSON.parse(from.pop());
		key = null;
		show();
	};
	at("undo").addEventListener("click", () => travel(past, future));
	at("redo").addEventListener("click", () => travel(future, past));
	addEventListener("keydown", (e) => {
		if (!(e.ctrlKey || e.metaKey) || e.altKey || /^z$/i.test(e.key) === false || e.target.matches("input[type=text], input[type=number]")) return;
		e.preventDefault();
		e.shiftKey ? travel(future, past) : travel(past, future);
	});

	// Drawing. An error leaves the last figure, paler, and says what to change.
	const says = (mark, words) => {
		verdict.className = "verdict " + ({ "✓": "holds", "✗": "fails" }[mark] ?? "");
		verdict.replaceChildren(make("span", { class: "mark" }, mark), " " + words);
	};
	let written, fragment = null;
	const draw = latest(async () => {
		try {
			const next = await call("play", { state, narrow: phone.matches });
			const img = make("img", { alt: next.alt, width: Math.round(next.width * 96 / 72), height: Math.round(next.height * 96 / 72) });
			img.src = "data:image/svg+xml," + encodeURIComponent(next.svg);
			await img.decode();
			stage.querySelector("img").replaceWith(img);
			reply = next;
			figure.dataset.link = reply.link;
			figure.classList.remove("undrawn");
			caption.textContent = reply.caption;
			says(reply.mark, reply.verdict);
			clearTimeout(written); // browsers allow few changes of an address in a short time
			written = setTimeout(() => { fragment = "#" + reply.link; history.replaceState(null, "", fragment); }, 400);
		} catch (e) {
			reply = null;
			figure.classList.add("undrawn");
			says("✗", running() ? e.message : "The program has ended. Load the page again.");
		}
		settle();
		figure.dispatchEvent(new CustomEvent("drawn"));
	});

	// Points by handles on the figure, one of which is in the order of the Tab key.
	const coordinates = () => state.points.map((p) => [p.x, p.y]);
	const move = (i, x, y) => change("drag", (s) => {
		[s.points[i].x, s.points[i].y] = [x, y].map((v, j) => Math.min(limit[j], Math.max(-limit[j], Math.round(v * 100) / 100)));
		untrain(s);
	});
	const untrain = (s) => { if (s.train !== "solved") s.step = 0; }; // other data, another training
	const classes = () => state.task === "several" ? names : ["−1", "+1"];
	const kind = (p) => state.task === "regression" ? "" : `, class ${classes()[p.class]}`;
	const end = () => { key = null; };
	let view = null;
	const arrange = () => {
		if (!view) return;
		while (handles.length > state.points.length) handles.pop().remove();
		while (handles.length < state.points.length) {
			const i = handles.length, h = make("button", { type: "button", class: "handle", role: "slider", tabindex: -1, "aria-valuemin": -limit[0], "aria-valuemax": limit[0] });
			handles.push(h);
			draggable(handles, i, { stage, view: () => view, points: coordinates, step: () => 0.1, put: move, end });
			h.addEventListener("focus", () => { handles[current]?.setAttribute("tabindex", -1); current = i; h.tabIndex = 0; });
			h.addEventListener("keydown", (e) => {
				const next = { PageDown: i + 1, PageUp: i - 1 }[e.key];
				if (next !== undefined) handles[(next + handles.length) % handles.length].focus();
				else if (e.key === "Delete" || e.key === "Backspace") { remove(i); handles[Math.min(i, handles.length - 1)]?.focus(); }
				else return;
				e.preventDefault();
			});
			h.addEventListener("blur", end);
			stage.append(h);
		}
		current = Math.min(current, Math.max(0, handles.length - 1));
		for (const [i, h] of handles.entries()) {
			const p = state.points[i];
			place(h, view, [p.x, p.y]);
			h.setAttribute("aria-label", `Point ${i + 1}${kind(p)}`);
			h.tabIndex = i === current ? 0 : -1;
			h.hidden = tool !== "move";
		}
	};
	const remove = (i) => change(null, (s) => { s.points.splice(i, 1); untrain(s); });
	const relabel = (i, c) => change(null, (s) => { s.points[i].class = c; untrain(s); });
	const add = (x, y) => {
		if (state.points.length >= most) { said(`There are ${most} points, and no more are drawn while one is dragged.`); return; }
		const round = (v, m) => Math.min(m, Math.max(-m, Math.round(v * 100) / 100));
		change(null, (s) => { s.points.push({ x: round(x, limit[0]), y: round(y, limit[1]), class: Number(at("class").querySelector(":checked")?.value ?? 0) }); untrain(s); });
	};
	stage.addEventListener("dragstart", (e) => e.preventDefault()); // of the picture itself, after a double click
	stage.addEventListener("click", (e) => {
		if (tool === "move" || !view || !state) return;
		const [x, y] = plane(stage, view, e);
		if (Math.abs(x) > limit[0] || Math.abs(y) > limit[1]) return;
		if (tool === "add") { add(x, y); return; }
		if (state.points.length === 0) return;
		const i = nearest(coordinates(), x, y, 0), unit = stage.getBoundingClientRect().width / view.width * (view.window.Right - view.window.Left) / (view.window.XMax - view.window.XMin);
		if (Math.hypot(state.points[i].x - x, state.points[i].y - y) * unit > 22) return; // pixels
		tool === "delete" ? remove(i) : relabel(i, (state.points[i].class + 1) % classes().length);
	});
	at("tool").addEventListener("change", (e) => { tool = e.target.value; stage.dataset.tool = tool; arrange(); });
	at("clear").addEventListener("click", () => change(null, (s) => { s.points = []; untrain(s); }));
	at("sample").addEventListener("change", async (e) => {
		const sample = e.target.value;
		e.target.value = "";
		if (sample) await start({ sample, state });
	});

	// The problem. A training needs its own bias: it is set with it.
	for (const name of ["task", "kernel", "loss", "bias", "train"]) {
		at(name).addEventListener("change", (e) => change(null, (s) => {
			s[name] = e.target.value;
			if (name === "task") for (const p of s.points) if (s.task === "two") p.class = Math.min(p.class, 1);
			if (s.task === "several" || s.loss === "logistic" || s.train === "perceptron" && s.task === "regression") s.train = "solved";
			if (s.loss === "logistic" && name === "loss") s.kernel = "linear";
			if (s.loss === "logistic" && (s.kernel !== "linear" || s.task === "regression")) s.loss = "hinge";
			if (s.train === "pairs") { if (name === "bias" && s.bias !== "free") s.train = "coordinate"; else s.bias = "free"; }
			if (["perceptron", "coordinate"].includes(s.train) && s.bias === "free") { if (name === "bias") s.train = "pairs"; else s.bias = "penalized"; }
			s.step = 0;
		}));
	}
	at("formula").addEventListener("input", (e) => change("formula", (s) => { s.formula = e.target.value; untrain(s); }));
	at("formula").addEventListener("blur", end);
	const decades = (from, to) => Array.from({ length: 3 * (to - from) + 1 }, (_, i) => Number(([1, 2, 5][i % 3] * 10 ** (from + Math.floor(i / 3))).toPrecision(1)));
	const near = (values, v) => nearest(values.map((w) => [w, 0]), v, 0, 0);
	const sliders = [["c", "Cost C", decades(-3, 4)], ["gamma", "Width γ", decades(-2, 1)], ["degree", "Degree p", [1, 2, 3, 4, 5]],
		["coef0", "Constant c₀", [0, 0.5, 1, 2, 5, 10]], ["epsilon", "Half-width ε", Array.from({ length: 21 }, (_, i) => i / 10)]].map(([field, label, values]) => {
		const r = range(label, values.map(short), 0, (i) => change(field, (s) => { s[field] = values[i]; untrain(s); }));
		r.el.addEventListener("change", end);
		at("sliders").append(r.el);
		return { field, el: r.el, set: () => { r.set(near(values, state[field])); r.el.querySelector("output").textContent = short(state[field]); } };
	});
	at("steps").addEventListener("click", (e) => {
		const by = Number(e.target.dataset.by);
		if (!by) return;
		change("steps", (s) => { s.step = Math.min(steps, Math.max(0, Math.min(s.step, reply?.steps ?? s.step) + by)); });
	});

	// show brings the controls in line with the state at once, and asks for its figure.
	const show = () => {
		for (const name of ["task", "kernel", "loss", "bias", "train"]) at(name).value = state[name];
		if (at("formula").value !== state.formula) at("formula").value = state.formula;
		at("formula-box").hidden = state.kernel !== "formula";
		const used = { c: true, gamma: ["rbf", "polynomial"].includes(state.kernel), degree: state.kernel === "polynomial", coef0: state.kernel === "polynomial", epsilon: state.task === "regression" };
		for (const s of sliders) { s.el.hidden = !used[s.field]; s.set(); }
		at("steps").hidden = state.train === "solved";
		at("undo").disabled = past.length === 0;
		at("redo").disabled = future.length === 0;
		const box = at("class"), shown = classes().join();
		box.hidden = at("tool").querySelector("[value=relabel]").parentElement.hidden = state.task === "regression";
		if (box.dataset.shown !== shown) {
			const old = Number(box.querySelector(":checked")?.value ?? 1);
			box.dataset.shown = shown;
			box.replaceChildren(box.firstElementChild, ...classes().map((name, k) => {
				const input = make("input", { type: "radio", name: "class", value: k });
				input.checked = k === Math.min(old, classes().length - 1);
				return make("label", {}, input, " " + name);
			}));
		}
		said("");
		arrange();
		list();
		return draw();
	};
	const settle = () => {
		if (reply) view = reply;
		at("steps").querySelectorAll("[data-by]").forEach((b) => { b.disabled = b.dataset.by > 0 ? reply?.ended === true : state.step === 0; });
		arrange();
		list();
		program();
	};

	// The list of the points, filled while it is open. A row is made once, and set when the state changes.
	const table = at("list").querySelector("tbody");
	const list = () => {
		if (!at("list").open || !state) return;
		while (table.rows.length > state.points.length) table.rows[table.rows.length - 1].remove();
		while (table.rows.length < state.points.length) {
			const i = table.rows.length;
			const number = (axis, j) => {
				const input = make("input", { type: "number", step: 0.1, min: -limit[j], max: limit[j], "aria-label": `Point ${i + 1}, ${axis}` });
				input.addEventListener("change", () => {
					const v = Number(input.value);
					if (input.value !== "" && Math.abs(v) <= limit[j]) change(null, (s) => { s.points[i][axis] = v; untrain(s); });
					else { said(`${axis} of a point is from −${limit[j]} to ${limit[j]}.`); list(); }
				});
				return input;
			};
			const select = make("select", { "aria-label": `Point ${i + 1}, class` }), button = make("button", { type: "button", "aria-label": `Delete point ${i + 1}` }, "Delete");
			select.addEventListener("change", () => relabel(i, Number(select.value)));
			button.addEventListener("click", () => remove(i));
			table.append(make("tr", {}, make("th", { scope: "row" }, String(i + 1)), ...[number("x", 0), number("y", 1), select, "", "", button].map((c) => make("td", {}, c))));
		}
		for (const [i, row] of [...table.rows].entries()) {
			const [, x, y, c, alpha, f] = row.cells, p = state.points[i], select = c.firstChild;
			for (const [input, v] of [[x.firstChild, p.x], [y.firstChild, p.y]]) if (document.activeElement !== input || Number(input.value) !== v) input.value = v;
			if (select.length !== classes().length || select.dataset.task !== state.task) { select.dataset.task = state.task; select.replaceChildren(...classes().map((name, k) => make("option", { value: k }, name))); }
			select.value = p.class;
			select.disabled = state.task === "regression";
			alpha.textContent = reply?.points?.[i] ? short(reply.points[i][0]) : "";
			f.textContent = reply?.points?.[i] ? short(reply.points[i][1]) : "";
		}
	};
	at("list").addEventListener("toggle", list);

	// What a state is taken away as.
	const said = (words) => { at("said").textContent = words; };
	const save = (name, type, text) => {
		const a = make("a", { download: name });
		a.href = URL.createObjectURL(new Blob([text], { type }));
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 10000);
	};
	const copy = async (text, what) => {
		try { await navigator.clipboard.writeText(text); said(`${what} is copied.`); } catch { said(`The browser does not let this page copy. ${what} stands in the ${what === "The link" ? "address" : "box"}.`); }
	};
	at("link").addEventListener("click", () => {
		if (!reply) return;
		fragment = "#" + reply.link;
		history.replaceState(null, "", fragment);
		copy(location.href, "The link");
	});
	at("svg").addEventListener("click", () => { if (reply) save("playground.svg", "image/svg+xml", reply.svg); });
	at("csv").addEventListener("click", () => call("play-export", state).then((r) => save("playground.csv", "text/csv", r.csv), (e) => said(e.message)));
	const code = at("go").querySelector("code");
	const program = latest(async () => {
		if (!at("go").open || !reply) return;
		try { code.textContent = (await call("play-export", state)).program; } catch (e) { code.textContent = "// " + e.message; }
	});
	at("go").addEventListener("toggle", program);
	at("copy").addEventListener("click", () => copy(code.textContent, "The program"));

	// A state to begin with: of a link, of a sample, or the page's own. What a broken link asks for is said, not guessed.
	const start = async (request) => {
		let next, wrong = null;
		try {
			next = await call("play-start", request);
		} catch (e) {
			wrong = e.message;
			next = state ?? await call("play-start", {});
		}
		next.points ??= [];
		if (state) await change(null, (s) => Object.assign(s, next));
		else { state = next; await show(); }
		at("status").hidden = !wrong;
		if (wrong) at("status").textContent = `Refused, and nothing was changed: ${wrong}`;
	};
	addEventListener("hashchange", () => { if (state && location.hash !== fragment && location.hash.length > 1) start({ link: location.hash.slice(1) }); });
	phone.addEventListener("change", () => { if (state) draw(); });

	at("status").textContent = "The program of the figures is loading …";
	load().then(() => start(location.hash.length > 1 ? { link: location.hash.slice(1) } : {})).then(() => {
		for (const el of [settings, figure.querySelector(".tools"), at("list"), at("go")]) el.hidden = false;
		figure.dataset.live = "yes";
	}).catch((e) => {
		document.documentElement.dataset.live = "none";
		at("status").textContent = `The points cannot be moved here: ${e.message}. This page needs Workers and WebAssembly, and a web server: go run ./lessons is one. It shows one answer.`;
	});
}
