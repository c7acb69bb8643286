// Runs before the page is drawn, so that a reader's choice of colours does not flash in late, and what needs scripts is there
// from the start in every browser that can run them.
(() => {
	let choice = null;
	try { choice = localStorage.getItem("theme"); } catch { /* no storage, no memory */ }
	if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
	document.documentElement.classList.add("js");
	// A lesson asks for its fonts before the styles have come. From file:// a browser refuses that.
	const script = document.currentScript;
	if (/^https?:$/.test(location.protocol) && "formulas" in script.dataset) {
		for (const font of ["Main-Regular", "Math-Italic"]) {
			const link = Object.assign(document.createElement("link"), { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href: new URL(`katex/fonts/KaTeX_${font}.woff2`, script.src).href });
			document.head.append(link);
		}
	}
	if (/^https?:$/.test(location.protocol) && window.Worker && window.WebAssembly && window.DecompressionStream) document.documentElement.classList.add("runs");
})();
