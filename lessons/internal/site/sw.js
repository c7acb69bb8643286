"use strict";

// The service worker of pages whose cells run, so that what a reader has loaded is there without a network. It is registered with the stamp of the
// build as its query, and keeps its files in a cache of that name; those of other builds of this site are removed. Files that are named after their content
// come from the cache; all others from the network, and from the cache where there is none.
const site = `lessons ${registration.scope} `, name = site + location.search.slice(1);
const stamped = /-[0-9a-f]{20}\.\w+$/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
	for (const other of await caches.keys()) if (other.startsWith(site) && other !== name) await caches.delete(other);
	await clients.claim();
})()));
addEventListener("fetch", (event) => {
	const { method, url } = event.request;
	if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event));
});

const answer = async (event) => {
	const { request } = event, cache = await caches.open(name), kept = await cache.match(request, { ignoreSearch: true });
	if (kept && stamped.test(new URL(request.url).pathname)) return kept;
	try {
		const fresh = await fetch(request);
		if (fresh.status === 200) event.waitUntil(cache.put(request, fresh.clone()).catch(() => {})); // there may be no space
		return fresh;
	} catch (error) {
		if (kept) return kept;
		throw error;
	}
};
