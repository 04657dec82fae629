import { h } from './dom.js';

/** Where the sandbox keeps files that can be in messages: uploaded ones, and the page's own. */
const FILES = ['/media/', '/page/'];

/**
 * The address as it may be loaded or linked: http or https, and of the sandbox itself its files alone. Messages are written by others:
 * whatever else stands in them runs nothing and asks the control API for nothing.
 * @param {string} url
 */
export function harmless(url) {
	if (!URL.canParse(url, location.href)) return undefined;
	const { protocol, origin, pathname, href } = new URL(url, location.href);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	const isFile = FILES.some((folder) => pathname.startsWith(folder));
	return origin === location.origin && !isFile ? undefined : href;
}

/**
 * In the place of what is not loaded.
 * @param {string} kind
 */
const notLoaded = (kind) =>
	h(
		'p',
		{ class: 'muted' },
		`${kind} not loaded: the page loads http and https addresses and the sandbox’s files.`,
	);

/**
 * An image, whose host is not told where it is shown.
 * @param {string} url
 * @param {string} alt
 * @param {string} [className]
 */
export function image(url, alt, className) {
	const src = harmless(url);
	if (src === undefined) return notLoaded('Image');
	const policy = { referrerPolicy: 'no-referrer', loading: 'lazy', decoding: 'async' };
	return h('img', { ...policy, class: className, alt, src });
}

/**
 * A player; before it is started, only its length and first picture are loaded. The page's own policy keeps the referrer from the host.
 * @param {'audio' | 'video'} tag
 * @param {string} url
 * @param {string} label
 */
export function player(tag, url, label) {
	const src = harmless(url);
	if (src === undefined) return notLoaded(tag === 'video' ? 'Video' : 'Audio');
	return h(tag, { src, controls: true, preload: 'metadata', 'aria-label': label });
}

/**
 * A link of a stranger's: the page that it opens learns nothing of this one, nor reaches it.
 * @param {string} url
 * @param {string} text
 */
export function link(url, text) {
	const href = harmless(url);
	const name = h('bdi', {}, text);
	if (href === undefined)
		return h(
			'p',
			{ class: 'action muted' },
			name,
			' (not linked: the page links http and https addresses)',
		);
	return h(
		'a',
		{ class: 'action', href, target: '_blank', rel: 'noopener noreferrer', title: href },
		h('span', { 'aria-hidden': 'true' }, '↗ '),
		name,
		h('span', { class: 'visually-hidden' }, ' (opens in a new tab)'),
	);
}
