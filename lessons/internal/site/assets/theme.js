// Runs before the page is drawn, so that a reader's choice of colours does not flash in late, and what needs scripts is there
// from the start in every browser that can run them.
(() => {
	let choice = null;
	try { choice = localStorage.getItem("theme"); } catch { /* no storage, no memory */ }
	if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
	document.documentElement.classList.add("js");
	if (/^https?:$/.test(location.protocol) && window.Worker && window.WebAssembly && window.DecompressionStream) document.documentElement.classList.add("runs");
})();
