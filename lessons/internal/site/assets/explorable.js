"use strict";

// Figures with something to move. A page stores pictures of some states, and a slider shows one of them. Once the
// program of the lessons has loaded, which begins at the first touch of a figure, the same figure is drawn anew in
// every state, by the code of the lesson. Where there are no scripts, Workers or WebAssembly, and from file://, the stored pictures stay.
{
	// A call of the program; the promise is rejected if there is none.
	let worker, calls = new Map(), number = 0;
	const call = (name, request) => new Promise((resolve, reject) => {
		if (!worker) { reject(new Error("no program")); return; }
		const id = ++number;
		const clock = setTimeout(() => stop(new Error(`no answer to ${name}`)), 30000); // a Worker cannot be interrupted
		calls.set(id, { resolve, reject, clock });
		worker.postMessage({ id, name, request });
	});
	const stop = (error) => {
		worker?.terminate();
		worker = null;
		for (const c of calls.values()) { clearTimeout(c.clock); c.reject(error); }
		calls.clear();
	};

	let program; // a promise of the loaded program
	const load = () => program ??= (async () => {
		if (!/^https?:$/.test(location.protocol) || !window.Worker || !window.WebAssembly) throw new Error("no Workers or WebAssembly");
		const base = new URL("live/", document.baseURI);
		let manifest;
		for (let tries = 0; ; tries++) { // a server that has just been started may still be building
			const answer = await fetch(new URL("live.json", base), { cache: "no-cache" });
			if (!answer.ok) throw new Error("no live figures");
			manifest = await answer.json();
			if (!manifest.building || tries > 200) break;
			await new Promise((later) => setTimeout(later, 3000));
		}
		if (!manifest.program) throw new Error("no live figures");
		worker = new Worker(new URL("assets/worker.js", document.baseURI));
		worker.addEventListener("message", ({ data }) => {
			const c = calls.get(data.id);
			if (!c) return;
			calls.delete(data.id);
			clearTimeout(c.clock);
			if (data.broken) stop(new Error(data.reply.error)); // a program that has ended answers nothing more
			data.reply.error === undefined ? c.resolve(data.reply) : c.reject(new Error(data.reply.error));
		});
		worker.addEventListener("error", (e) => { e.preventDefault(); stop(new Error(e.message)); });
		worker.postMessage({ start: new URL(manifest.start, base).href, program: new URL(manifest.program, base).href });
	})();

	const make = (tag, attributes = {}, ...children) => {
		const el = document.createElement(tag);
		for (const [k, v] of Object.entries(attributes)) k === "class" ? el.className = v : el.setAttribute(k, v);
		el.append(...children);
		return el;
	};
	const short = (v) => String(Number(v.toPrecision(4))).replace("-", "−");

	// A slider with its buttons: positions are words, move is called with the number of the one it was moved to.
	const range = (label, words, at, move) => {
		const output = make("output", {}, words[at]);
		const input = make("input", { type: "range", min: 0, max: words.length - 1, step: 1, value: at, "aria-label": label, "aria-valuetext": words[at] });
		const moved = () => {
			output.textContent = words[input.value];
			input.setAttribute("aria-valuetext", words[input.value]);
			move(Number(input.value));
		};
		input.addEventListener("input", moved);
		const by = (step, sign) => {
			const button = make("button", { type: "button", class: "step", "aria-label": `${label}: ${step < 0 ? "back" : "on"}`, tabindex: -1 }, sign);
			button.addEventListener("click", () => { step < 0 ? input.stepDown() : input.stepUp(); moved(); });
			return button;
		};
		const longest = Math.max(...words.map((w) => w.length));
		output.style.minWidth = `${Math.min(longest, 24)}ch`;
		const el = make("div", { class: "control" }, make("span", { class: "label" }, label + " "), output, make("div", { class: "track" }, by(-1, "‹"), input, by(1, "›")));
		return { el, set: (i) => { input.value = i; output.textContent = words[i]; input.setAttribute("aria-valuetext", words[i]); } };
	};

	// latest returns a function that runs an asynchronous one: once more when it has been called meanwhile, not once for each call.
	const latest = (run) => {
		let dirty = false, busy = null;
		return () => {
			dirty = true;
			return busy ??= (async () => {
				try {
					while (dirty) { dirty = false; await run(); }
				} finally {
					busy = null;
				}
			})();
		};
	};

	// A picture of the plane: view is the reply of a drawing, with its window. plane takes an event for a point of the plane, and
	// place puts a handle over one.
	const plane = (stage, view, e) => {
		const box = stage.getBoundingClientRect(), w = view.window;
		const left = (e.clientX - box.left) / box.width * view.width, top = (e.clientY - box.top) / box.height * view.height;
		return [w.XMin + (left - w.Left) / (w.Right - w.Left) * (w.XMax - w.XMin), w.YMin + (w.Bottom - top) / (w.Bottom - w.Top) * (w.YMax - w.YMin)];
	};
	const place = (handle, view, p) => {
		const w = view.window;
		handle.style.left = `${100 * (w.Left + (p[0] - w.XMin) / (w.XMax - w.XMin) * (w.Right - w.Left)) / view.width}%`;
		handle.style.top = `${100 * (w.Bottom - (p[1] - w.YMin) / (w.YMax - w.YMin) * (w.Bottom - w.Top)) / view.height}%`;
		handle.setAttribute("aria-valuetext", `(${short(p[0])}, ${short(p[1])})`);
		handle.setAttribute("aria-valuenow", p[0]);
	};
	const nearest = (points, x, y, among) => points.reduce((near, q, k) => Math.hypot(q[0] - x, q[1] - y) < Math.hypot(points[near][0] - x, points[near][1] - y) ? k : near, among);

	// draggable moves points by their handles, with the pointer or the arrow keys: the plane is { stage, view, points, step, put }, of
	// which view and points are functions. A drag ends with put.end, if there is one.
	const draggable = (handles, i, { stage, view, points, step, put, end }) => {
		const h = handles[i];
		h.addEventListener("keydown", (e) => {
			const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
			if (!by) return;
			e.preventDefault();
			const times = e.shiftKey ? 5 : 1, at = points()[i];
			put(i, at[0] + times * by[0] * step(i), at[1] + times * by[1] * step(i));
		});
		h.addEventListener("pointerdown", (e) => {
			if (e.button !== 0 || !view()?.window) return;
			e.preventDefault();
			const [x, y] = plane(stage, view(), e), all = points();
			const near = nearest(all, x, y, i); // of handles that lie on each other the nearest is meant
			const off = [all[near][0] - x, all[near][1] - y];
			handles[near].focus({ preventScroll: true });
			h.setPointerCapture(e.pointerId);
			const move = (e) => { const [x, y] = plane(stage, view(), e); put(near, x + off[0], y + off[1]); };
			const up = () => {
				for (const [event, f] of [["pointermove", move], ["pointerup", up], ["pointercancel", up]]) h.removeEventListener(event, f);
				end?.();
			};
			for (const [event, f] of [["pointermove", move], ["pointerup", up], ["pointercancel", up]]) h.addEventListener(event, f);
		});
	};

	window.live = { load, call, running: () => worker !== undefined && worker !== null, make, short, range, latest, plane, place, nearest, draggable };

	const lesson = document.querySelector("main[data-lesson]")?.dataset.lesson;
	const boxes = [];
	for (const box of document.querySelectorAll("details.explorable")) {
		const frames = [...box.querySelectorAll("img[data-value]")], first = Number(box.querySelector("input[type=range]")?.value);
		const figure = box.previousElementSibling, still = figure?.matches("figure") && figure.querySelector("img");
		if (!still || !frames[first] || !figure.querySelector(".controls")) continue;
		boxes.push(enhance(box, frames, first, figure, still));
	}

	// enhance puts the controls of a box into the figure above it, which from then on shows all states.
	function enhance(box, frames, first, figure, still) {
		const caption = figure.querySelector("figcaption") ?? figure.appendChild(make("figcaption"));
		caption.setAttribute("aria-live", "polite");
		let picture = still;
		const stage = make("div", { class: "stage" });
		picture.replaceWith(stage);
		stage.append(picture);
		figure.classList.add("moves");
		figure.dataset.explorable = box.id;
		const show = (src, alt, words, width, height) => {
			const next = make("img", { alt });
			next.src = src;
			return next.decode().catch(() => {}).then(() => {
				next.width = Math.round(width || next.naturalWidth || still.width);
				next.height = Math.round(height || next.naturalHeight || still.height);
				picture.replaceWith(next);
				picture = next;
				caption.textContent = words;
			});
		};
		const start = { src: still.currentSrc || still.src, caption: caption.textContent };
		let at = first;
		const stored = (i) => {
			at = i;
			const f = frames[i];
			return i === first ? show(start.src, still.alt, start.caption, still.width, still.height)
				: show(f.src, f.alt, f.dataset.caption); // not loaded before
		};
		// The page has a place for the controls, of their size.
		const controls = figure.querySelector(".controls");
		controls.replaceChildren(range(controls.querySelector(".label").textContent.trim(), frames.map((f) => f.dataset.value), first, stored).el);
		box.hidden = true;

		const state = { box, figure, stage, controls, caption, show, at: () => at };
		// The program is loaded when the reader asks for it by touching the figure, and not before: it is the heaviest part of a page.
		const begin = make("button", { type: "button" }, "Move it yourself");
		const touched = () => {
			begin.textContent = "Loading …";
			goLive();
		};
		begin.addEventListener("click", touched);
		controls.append(make("div", { class: "states" }, begin));
		for (const event of ["pointerenter", "focusin", "input", "touchstart"]) figure.addEventListener(event, touched, { passive: true, once: true });
		return state;
	}

	// All figures of the page become live at once; whoever is moving one just now finishes first.
	let going;
	function goLive() {
		going ??= load().then(async () => {
			const { explorables } = await call("open", { lesson });
			for (const b of boxes) {
				const about = explorables?.find((e) => e.id === b.box.id);
				if (about) await live(b, about);
			}
		}).catch((e) => { document.documentElement.dataset.live = "none"; for (const b of boxes) b.controls.querySelector(".states")?.remove(); if (worker) console.warn(`live figures: ${e.message}`); });
		return going;
	}

	let pressed = null;
	addEventListener("pointerdown", () => { pressed ??= new Promise((up) => { for (const e of ["pointerup", "pointercancel"]) addEventListener(e, () => { pressed = null; up(); }, { once: true }); }); }, { passive: true });

	async function live(b, about) {
		const { sliders = [], choices = [], points = [] } = about;
		const copy = (s) => JSON.parse(JSON.stringify(s));
		let state = copy(about.stored[b.at()].state), view = null;
		const verdict = b.figure.querySelector(".verdict") ?? make("p", { class: "verdict", role: "status" });
		const handles = [], settings = [];

		// The newest state is drawn when the last one is; those between are dropped.
		const redraw = latest(async () => {
			let d;
			try {
				d = await call("draw", { lesson, id: about.id, state });
			} catch (e) {
				if (!worker) throw e;
				says(false, e.message);
				b.figure.classList.add("undrawn");
				return;
			}
			b.figure.classList.remove("undrawn");
			await b.show("data:image/svg+xml," + encodeURIComponent(d.svg), d.alt, d.caption, d.width * 96 / 72, d.height * 96 / 72);
			view = d;
			says(d.fails === "", d.fails === "" ? d.claim : `${d.claim}: ${d.fails}`);
			arrange();
		});
		const draw = async () => {
			arrange();
			await redraw();
			b.figure.dispatchEvent(new CustomEvent("drawn"));
		};
		const says = (holds, words) => {
			verdict.className = "verdict " + (holds ? "holds" : "fails");
			verdict.replaceChildren(make("span", { class: "mark" }, holds ? "✓" : "✗"), " " + words);
		};

		// Handles stand over the points of the figure.
		const arrange = () => {
			if (view?.window) for (const [i, h] of handles.entries()) place(h, view, state.points[i]);
		};
		const put = (i, x, y) => {
			const { min, max, step } = points[i];
			const p = [x, y].map((v, j) => Math.min(max[j], Math.max(min[j], Number((Math.round(v / step) * step).toPrecision(12)))));
			if (p[0] === state.points[i][0] && p[1] === state.points[i][1]) return;
			state.points[i] = p;
			draw().catch(fail);
		};
		for (const [i, p] of points.entries()) {
			handles.push(make("button", { type: "button", class: "handle", role: "slider", "aria-label": p.label, "aria-valuemin": p.min[0], "aria-valuemax": p.max[0], title: p.label }));
			draggable(handles, i, { stage: b.stage, view: () => view, points: () => state.points, step: (k) => points[k].step, put });
		}

		// Sliders, choices, and the states that have names.
		const nearest = (positions, v) => positions.reduce((best, p, i) => Math.abs(p - v) < Math.abs(positions[best] - v) ? i : best, 0);
		for (const [i, s] of sliders.entries()) {
			const r = range(s.label, s.positions.map(short), nearest(s.positions, state.sliders[i]), (k) => { state.sliders[i] = s.positions[k]; draw().catch(fail); });
			settings.push({ el: r.el, set: () => r.set(nearest(s.positions, state.sliders[i])) });
		}
		for (const [i, c] of choices.entries()) {
			const inputs = c.options.map((o, k) => make("input", { type: "radio", name: `${about.id}-${i}`, value: k }));
			for (const [k, input] of inputs.entries()) input.addEventListener("change", () => { state.choices[i] = k; draw().catch(fail); });
			const el = make("fieldset", {}, make("legend", {}, c.label), ...inputs.map((input, k) => make("label", {}, input, " " + c.options[k])));
			const set = () => { inputs[state.choices[i]].checked = true; };
			set();
			settings.push({ el, set });
		}
		if (about.named) { // a few states have a button each
			const el = make("div", { class: "states" });
			for (const { name, state: s } of about.stored.length <= 5 ? about.stored : [{ ...about.stored[about.first], name: "Start again" }]) {
				const button = make("button", { type: "button" }, name);
				button.addEventListener("click", () => { state = copy(s); for (const set of settings) set.set(); draw().catch(fail); });
				el.append(button);
			}
			settings.push({ el, set: () => {} });
		}

		// What fails for good leaves the stored pictures.
		const controls = make("div", { class: "controls" }, ...settings.map((s) => s.el));
		const fail = (e) => {
			console.warn(`live figures: ${e.message}`);
			delete b.figure.dataset.live;
			for (const h of handles) h.remove();
			controls.replaceWith(b.controls);
			verdict.remove();
		};
		await pressed;
		state = copy(about.stored[b.at()].state);
		for (const set of settings) set.set();
		const focused = b.controls.contains(document.activeElement);
		b.caption.after(verdict);
		try {
			await draw();
		} catch (e) {
			fail(e);
			return;
		}
		b.controls.replaceWith(controls);
		b.stage.append(...handles);
		if (focused) (controls.querySelector("input, button") ?? handles[0])?.focus({ preventScroll: true });
		b.figure.dataset.live = "yes";
	}
}
