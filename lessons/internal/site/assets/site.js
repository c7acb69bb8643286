"use strict";

// What is wider than the screen can be scrolled with the keyboard.
for (const el of document.querySelectorAll(".math.display, .scroll")) {
	if (el.scrollWidth > el.clientWidth) el.tabIndex = 0;
}

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

// The list of contents stands open beside the text, and closed above it where there is no room.
{
	const contents = document.querySelector(".contents details");
	const wide = matchMedia("(min-width: 72rem)");
	if (contents) {
		contents.open = wide.matches;
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

// A link to something inside a fold opens the fold; on paper all folds are open.
{
	const open = () => {
		let el = null;
		try { el = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* not an address of ours */ }
		for (; el; el = el.parentElement) if (el instanceof HTMLDetailsElement) el.open = true;
	};
	addEventListener("hashchange", open);
	open();
	addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("main details")) d.open = true; });
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
