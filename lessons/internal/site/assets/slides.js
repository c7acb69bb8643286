"use strict";

// A lesson as slides: its theorems and the steps of their proofs, its figures and its claims, one at a time. A slide is made of the page's own
// elements, which stand in the dialog while they are shown and go back to their places afterwards, so figures that move do so there, too.
{
	const main = document.querySelector("main");
	const leading = /^(Theorem|Lemma|Proposition|Corollary|Step)\b/;

	// The slides: lists of elements, each with the heading of its section.
	const slides = [];
	let section = "";
	for (const el of main.querySelectorAll("h1, h2, .prose > :is(p, blockquote), .cell .output")) {
		if (/^H[12]$/.test(el.tagName)) {
			section = el;
			if (el.tagName === "H1") slides.push({ section: null, parts: [el] });
			continue;
		}
		if (el.closest(".exercise, .solution, details.section:not(.deeper)")) continue;
		if (el.matches(".prose > *")) {
			if (!leading.test(el.querySelector("strong")?.textContent ?? "") || !leading.test(el.textContent.trim())) continue;
			const parts = [el];
			// A displayed formula and a list go with what stands above them, and so does the end of a sentence below a formula.
			for (let next = el.nextElementSibling; next; next = next.nextElementSibling) {
				const goesOn = next.matches("p") && parts.at(-1).matches(".display") && !leading.test(next.textContent.trim()) && !next.textContent.startsWith("Proof");
				if (!goesOn && !next.matches(".math.display, ul, ol")) break;
				parts.push(next);
			}
			slides.push({ section, parts });
			continue;
		}
		for (const figure of el.querySelectorAll("figure")) slides.push({ section, parts: [figure] });
		const claims = el.querySelectorAll(".checks:has(.holds)");
		if (claims.length) slides.push({ section, parts: [...claims] });
	}

	const make = (tag, name, ...children) => {
		const el = document.createElement(tag);
		el.className = name;
		el.append(...children);
		return el;
	};
	const button = (text, label, press) => {
		const b = make("button", "", text);
		b.type = "button";
		b.setAttribute("aria-label", label);
		b.addEventListener("click", press);
		return b;
	};

	const title = make("p", "section"), count = make("p", "count"), sheet = make("div", "sheet"), stage = make("div", "screen", sheet);
	count.setAttribute("role", "status");
	const back = button("←", "Previous slide", () => show(at - 1)), next = button("→", "Next slide", () => show(at + 1));
	const dialog = make("dialog", "slides", make("div", "bar", title, make("span", "turns", count, back, next, button("Close", "Leave the slides", () => dialog.close()))), stage);
	dialog.setAttribute("aria-label", "Slides");
	dialog.tabIndex = -1;
	document.body.append(dialog);

	let at = -1, places = []; // where the shown elements belong
	const restore = () => {
		for (const [place, el] of places) place.replaceWith(el);
		places = [];
	};

	// fit makes the sheet as large as the stage lets it be.
	const fit = () => {
		const width = stage.clientWidth, height = stage.clientHeight;
		for (let zoom = Math.min(2.4, Math.max(1, width / 400)); zoom >= 0.4; zoom -= 0.1) {
			sheet.style.zoom = zoom;
			sheet.style.maxWidth = `${Math.floor(width / zoom)}px`;
			if (stage.scrollHeight <= height + 1 && stage.scrollWidth <= width + 1 && sheet.scrollWidth <= sheet.clientWidth + 1 && [...sheet.querySelectorAll(".scroll, .math.display")].every((x) => x.scrollWidth <= x.clientWidth + 1)) return;
		}
	};

	const show = (i) => {
		if (i < 0 || i >= slides.length) return;
		restore();
		at = i;
		const slide = slides[at];
		title.replaceChildren(...[...(slide.section?.childNodes ?? [])].filter((n) => !n.classList?.contains("anchor")).map((n) => n.cloneNode(true)));
		count.textContent = `${at + 1} of ${slides.length}`;
		back.disabled = at === 0;
		next.disabled = at === slides.length - 1;
		for (const el of slide.parts) {
			const place = document.createComment("");
			el.replaceWith(place);
			sheet.append(el);
			places.push([place, el]);
			for (const img of el.querySelectorAll("img")) img.loading = "eager";
		}
		fit();
		Promise.all([...sheet.querySelectorAll("img:not([hidden])")].map((img) => img.decode().catch(() => {}))).then(fit);
	};

	// Without a number it is the slide that is next below the top of the window.
	const open = (number) => {
		if (dialog.open) return;
		number ??= scrollY < 100 ? 1 : 1 + slides.findIndex((s) => s.parts[0].getBoundingClientRect().top >= 0 && s.parts[0].offsetParent);
		dialog.showModal();
		dialog.focus();
		show(Math.min(Math.max(number, 1), slides.length) - 1);
	};

	dialog.addEventListener("close", () => {
		const [el] = slides[at].parts;
		restore();
		for (let d = el.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
		el.scrollIntoView({ block: at ? "center" : "end" });
	});
	dialog.addEventListener("keydown", (e) => {
		if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest("input, select, .handle")) return; // what moves a figure keeps its keys
		const turn = { ArrowRight: at + 1, ArrowDown: at + 1, PageDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, PageUp: at - 1, Home: 0, End: slides.length - 1 }[e.key];
		if (turn === undefined) return;
		e.preventDefault();
		show(turn);
	});
	addEventListener("resize", () => { if (dialog.open) fit(); });
	addEventListener("beforeprint", () => { if (dialog.open) dialog.close(); });

	const start = document.getElementById("slides");
	start.addEventListener("click", () => open());
	start.hidden = false;
	const asked = new URLSearchParams(location.search).get("slides"); // "" or a number
	if (asked !== null) addEventListener("load", () => open(Number(asked) || 1));
}
