// Looks at a page as a reader would, and returns a list of what is wrong with it. Evaluated in the page itself.
(async () => {
	const faults = [];
	const fault = (what, el) => faults.push(what + (el ? ": " + (el.outerHTML ?? el).slice(0, 160) : ""));
	for (const d of document.querySelectorAll("details")) d.open = true;
	for (const img of document.images) img.loading = "eager";
	await Promise.all([...document.images].map((img) => img.decode().catch(() => {})));
	await document.fonts.ready;

	// Formulas
	for (const el of document.querySelectorAll(".katex-error")) fault("formula that KaTeX cannot read", el);
	for (const el of document.querySelectorAll(".math")) if (!el.querySelector(".katex, .katex-error")) fault("formula not set", el);
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const texts = [];
	while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
	for (const t of texts) {
		if (t.parentElement.closest("pre, code, script, style, .katex")) continue;
		if (/\$\$|\\\(|\\\[|\\begin\{/.test(t.data)) fault("raw TeX", t.data);
	}

	// Pictures
	for (const img of document.images) {
		if (!img.hasAttribute("alt")) fault("picture without alt", img);
		if (img.naturalWidth === 0) fault("picture that does not load", img);
	}
	for (const f of document.querySelectorAll("figure")) if (!f.querySelector("img")?.alt) fault("figure without a description", f);

	// Width: the page never scrolls sideways.
	const root = document.documentElement;
	if (root.scrollWidth > root.clientWidth) {
		fault(`page is ${root.scrollWidth} wide on a screen of ${root.clientWidth}`);
		for (const el of document.body.querySelectorAll("*")) {
			const box = el.closest(".math.display, .wide, pre > *, .katex-mathml");
			if (!box && el.getBoundingClientRect().right > root.clientWidth + 1) { fault("sticks out", el); break; }
		}
	}

	// Structure
	if (document.querySelectorAll("h1").length !== 1) fault("not exactly one h1");
	if (document.querySelectorAll("main").length !== 1) fault("not exactly one main");
	if (!root.lang) fault("no language");
	if (!document.title.trim()) fault("no title");
	const ids = new Set();
	for (const el of document.querySelectorAll("[id]")) { if (ids.has(el.id)) fault("id used twice", el); ids.add(el.id); }
	for (const a of document.querySelectorAll('a[href^="#"]')) if (!ids.has(decodeURIComponent(a.hash.slice(1)))) fault("link to nowhere", a);
	for (const el of document.querySelectorAll("a[href], button, input, iframe")) {
		const name = el.getAttribute("aria-label") || el.textContent.trim() || el.title || el.labels?.[0]?.textContent.trim() || el.querySelector("img")?.alt;
		if (!name) fault("control without a name", el);
	}

	// Contrast of every text with the ground it stands on, as WCAG defines it.
	const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = (css) => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = css; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]; };
	const luminance = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const ground = (el) => { for (; el; el = el.parentElement) { const c = rgba(getComputedStyle(el).backgroundColor); if (c[3] > 250) return c; } return rgba("Canvas"); };
	const seen = new Set();
	for (const t of texts) {
		const el = t.parentElement, style = getComputedStyle(el), box = el.getBoundingClientRect();
		if (box.width < 2 || box.height < 2 || style.visibility === "hidden" || el.closest("script, style, .katex-mathml, .skip, .anchor, .copy")) continue;
		const fore = luminance(rgba(style.color)), back = luminance(ground(el));
		const ratio = (Math.max(fore, back) + 0.05) / (Math.min(fore, back) + 0.05);
		const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
		const key = el.className + style.color;
		if (ratio < (large ? 3 : 4.5) && !seen.has(key)) { seen.add(key); fault(`contrast ${ratio.toFixed(2)}`, el); }
	}

	// Sliders move their picture, whether it is stored or drawn anew.
	for (const figure of document.querySelectorAll("figure.moves")) {
		const input = figure.querySelector("input[type=range]");
		if (!input) continue;
		const before = figure.querySelector("img").src;
		input.value = input.value === input.min ? input.max : input.min;
		input.dispatchEvent(new Event("input", { bubbles: true }));
		for (let tries = 0; tries < 100 && figure.querySelector("img").src === before; tries++) await new Promise((later) => setTimeout(later, 100));
		if (figure.querySelector("img").src === before) fault("slider that does not move its picture", input);
	}
	if (document.querySelectorAll("details.explorable").length !== document.querySelectorAll("figure.moves").length) fault("an explorable without its figure");
	return faults;
})()
