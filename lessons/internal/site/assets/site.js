"use strict";

// What is wider than the screen, in its own fonts, can be scrolled with the keyboard.
document.fonts.ready.then(() => {
	const wide = [...document.querySelectorAll(".math.display, .scroll, .source pre")].filter((el) => el.scrollWidth > el.clientWidth);
	for (const el of wide) el.tabIndex = 0;
});

// Light or dark: the system decides until the reader does.
{
	const button = document.getElementById("theme");
	const system = matchMedia("(prefers-color-scheme: dark)");
	const dark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
	const label = () => {
		button.textContent = dark() ? "Light" : "Dark";
		button.setAttribute("aria-label", dark() ? "Light colours" : "Dark colours");
	};
	button.addEventListener("click", () => {
		const next = dark() ? "light" : "dark";
		document.documentElement.dataset.theme = next;
		try { localStorage.setItem("theme", next); } catch { /* for this page only, then */ }
		label();
	});
	system.addEventListener("change", label);
	label();
	button.hidden = false;
}

// On a phone, the links of the header are behind a button.
{
	const menu = document.querySelector(".menu"), tools = document.getElementById("tools");
	menu.addEventListener("click", () => { menu.setAttribute("aria-expanded", tools.classList.toggle("open")); });
}

// The section that is being read, and how far the reader has come.
{
	const where = document.querySelector(".where"), here = document.getElementById("here"), main = document.getElementById("main");
	if (where) {
		const titles = [...document.querySelectorAll(".contents .level2 a")].map((a) => [document.getElementById(decodeURIComponent(a.hash.slice(1))), a.textContent]);
		let waiting = false;
		const look = () => {
			waiting = false;
			const passed = titles.filter(([h]) => h?.getBoundingClientRect().top < innerHeight / 3).at(-1);
			here.textContent = passed ? `· ${passed[1]}` : "";
			const { top, height } = main.getBoundingClientRect();
			where.style.setProperty("--read", Math.min(1, Math.max(0, -top / Math.max(1, height - innerHeight))));
		};
		addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(look); } }, { passive: true });
	}
}

// The list of contents stands open beside the text, and closed above it where there is no room.
{
	const contents = document.querySelector(".contents details");
	const wide = matchMedia("(min-width: 72rem)");
	if (contents) {
		contents.open = wide.matches;
		contents.classList.add("settled");
		wide.addEventListener("change", () => { contents.open = wide.matches; });
	}
}

// All solutions are opened or folded at once, on this page and, in this browser, on the next.
{
	const button = document.getElementById("solutions");
	const solutions = [...document.querySelectorAll("main details")].filter((d) => d.matches(".solution") || d.firstElementChild?.textContent === "Solution");
	let shown = false;
	try { shown = localStorage.getItem("solutions") === "shown"; } catch { /* folded, then */ }
	const set = () => {
		for (const d of solutions) d.open = shown;
		button.textContent = shown ? "Fold solutions" : "Show solutions";
	};
	if (button && solutions.length) {
		if (shown) set();
		button.addEventListener("click", () => {
			shown = !shown;
			try { localStorage.setItem("solutions", shown ? "shown" : "folded"); } catch { /* for this page only, then */ }
			set();
		});
		button.hidden = false;
	}
}

// A link to something inside a fold opens the fold.
{
	const open = () => {
		let el = null;
		try { el = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* not an address of ours */ }
		for (; el; el = el.parentElement) if (el instanceof HTMLDetailsElement) el.open = true;
	};
	addEventListener("hashchange", open);
	open();
}

// Copy a cell's code.
if (navigator.clipboard) {
	for (const box of document.querySelectorAll(".source")) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "copy";
		button.textContent = "Copy";
		button.addEventListener("click", async () => {
			try { await navigator.clipboard.writeText(box.querySelector("code").textContent); button.textContent = "Copied"; } catch { button.textContent = "Not allowed"; }
			setTimeout(() => { button.textContent = "Copy"; }, 1500);
		});
		box.append(button);
	}
}
