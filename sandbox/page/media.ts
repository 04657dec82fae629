import { h } from './dom.js';

/** The paths of files in messages: uploaded ones, and the page's own. */
const FILES = ['/media/', '/page/'];

/**
 * The address if it may be loaded or linked: http or https, and of the sandbox itself only its
 * files. Other people write the messages: no other address in them can run code or call the control
 * API.
 */
export function harmless(url: string) {
	if (!URL.canParse(url, location.href)) return undefined;
	const { protocol, origin, pathname, href } = new URL(url, location.href);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	const isFile = FILES.some((folder) => pathname.startsWith(folder));
	return origin === location.origin && !isFile ? undefined : href;
}

/** Shown in place of media that are not loaded. */
const notLoaded = (kind: string) =>
	h(
		'p.muted',
		`${kind} not loaded: the page loads http and https addresses and the sandbox’s files.`,
	);

/**
 * The addresses of other hosts that did not load. The page does not ask again for each message that
 * comes.
 */
const failed: Set<string> = new Set();

/**
 * A medium, or a text in its place if it does not load from another host. The sandbox has checked
 * its own files.
 */
function orText(src: string, make: () => HTMLElement, text: string) {
	const inPlace = h('p.muted', text);
	if (failed.has(src)) return inPlace;
	const medium = make();
	medium.addEventListener('error', () => {
		if (new URL(src).origin === location.origin) return;
		failed.add(src);
		medium.replaceWith(inPlace);
	});
	return medium;
}

/** An image. Its host does not learn on which page it is shown. */
export function image(url: string, alt: string, className?: string) {
	const src = harmless(url);
	if (src === undefined) return notLoaded('Image');
	const policy = { referrerPolicy: 'no-referrer', loading: 'lazy', decoding: 'async' };
	return orText(
		src,
		() => h('img', { ...policy, class: className, alt, src }),
		'This image cannot be loaded. The real service would refuse it.',
	);
}

/**
 * A player. Before it starts, only its length and first picture are loaded. The page's policy hides
 * the referrer from the host.
 */
export function player(tag: 'audio' | 'video', url: string, label: string) {
	const src = harmless(url);
	if (src === undefined) return notLoaded(tag === 'video' ? 'Video' : 'Audio');
	return orText(
		src,
		() => h(tag, { src, controls: true, preload: 'metadata', 'aria-label': label }),
		`This ${tag} cannot be played here. If its address is wrong, the real service would refuse it.`,
	);
}

/** A stranger's link. The page that it opens learns nothing about this page and cannot reach it. */
export function link(url: string, text: string) {
	const href = harmless(url);
	const name = h('bdi', text);
	if (href === undefined)
		return h('p.action.muted', name, ' (not linked: the page links http and https addresses)');
	return h(
		'a.action',
		{ href, target: '_blank', rel: 'noopener noreferrer', title: href },
		h('span', { 'aria-hidden': 'true' }, '↗ '),
		name,
		h('span.visually-hidden', ' (opens in a new tab)'),
	);
}
