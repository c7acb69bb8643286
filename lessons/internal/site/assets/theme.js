// Runs before the page is drawn, so that a reader's choice of colours does not flash in late.
(() => {
	let choice = null;
	try { choice = localStorage.getItem("theme"); } catch { /* no storage, no memory */ }
	if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
})();
