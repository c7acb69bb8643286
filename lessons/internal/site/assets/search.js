"use strict";

// The search page. A section is found that has a word for each beginning asked for, those with them in the title first. The sections are in
// places.js, as const places.
{
	const input = document.getElementById("search"), list = document.getElementById("found"), count = document.getElementById("count");
	const most = 50, around = 90; // places shown, and letters of text before and after the first word found
	const make = (tag, ...children) => {
		const el = document.createElement(tag);
		el.append(...children);
		return el;
	};
	const find = (words) => {
		const patterns = words.map((w) => new RegExp(`(?<![\\p{L}\\p{N}])${w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "giu"));
		const any = new RegExp(patterns.map((p) => p.source).join("|"), "giu");
		const found = [];
		for (const place of places) {
			let score = 0;
			const every = patterns.every((p) => {
				const titles = (place.title.match(p) ?? place.lesson.match(p) ?? []).length, texts = (place.text.match(p) ?? []).length;
				score += 20 * Math.min(1, titles) + Math.min(5, texts);
				return titles + texts > 0;
			});
			if (every) found.push({ place, score, any });
		}
		return found.sort((a, b) => b.score - a.score);
	};
	const excerpt = (text, any) => {
		const first = Math.max(0, text.search(any)), from = first <= around ? 0 : text.indexOf(" ", first - around) + 1;
		const end = text.length <= first + around ? text.length : text.lastIndexOf(" ", first + around);
		const shown = text.slice(from, Math.max(end, first)), p = make("p", from > 0 ? "… " : "");
		let at = 0;
		for (const m of shown.matchAll(any)) {
			p.append(shown.slice(at, m.index), make("mark", m[0]));
			at = m.index + m[0].length;
		}
		p.append(shown.slice(at), end < text.length ? " …" : "");
		return p;
	};
	const show = () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), found = words.length ? find(words) : [];
		list.replaceChildren(...found.slice(0, most).map(({ place, any }) => {
			const link = make("a", place.title || place.lesson);
			link.href = place.href;
			const item = make("li", link);
			if (place.title) item.append(make("span", place.lesson));
			item.append(excerpt(place.text, any));
			return item;
		}));
		const number = found.length === 1 ? "1 section" : `${found.length} sections`;
		count.textContent = words.length === 0 ? "" : found.length > most ? `${number}, the first ${most} of them here` : found.length ? number : "No section has these words.";
		try { history.replaceState(null, "", input.value ? `?q=${encodeURIComponent(input.value)}` : location.pathname); } catch { /* opened as a file */ }
	};
	input.value = new URLSearchParams(location.search).get("q") ?? "";
	input.addEventListener("input", show);
	show();
}
