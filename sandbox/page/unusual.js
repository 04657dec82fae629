import { byId, duration, fill, h } from './dom.js';

/** @import { App } from './state.js' */

const MINUTE = 60_000;

/**
 * How the sandbox's clock differs from a real one; empty when it does not.
 * @param {App} app
 */
function clock(app) {
	const { speed } = app.state.clock;
	const ahead = Math.round((app.now() - Date.now()) / MINUTE) * MINUTE;
	const parts = [
		ahead !== 0 && `${ahead > 0 ? '+' : '−'}${duration(Math.abs(ahead))}`,
		speed === 0 ? 'stands still' : speed !== 1 && `${speed}×`,
	].filter(Boolean);
	return parts.length > 0 && `clock ${parts.join(', ')}`;
}

/** @param {App} app */
function faults({ state }) {
	const count = state.faults.length;
	return count > 0 && `${count} ${count === 1 ? 'fault' : 'faults'} on`;
}

/**
 * Says in the header what would surprise who does not know of it, each with a link to where it is set. The parts of Controls have these ids.
 * @param {App} app
 */
export function showUnusual(app) {
	const { blockedAddress } = app.state.settings;
	const found = Object.entries({
		'controls/clock': clock(app),
		'controls/faults': faults(app),
		'controls/service': blockedAddress !== null && 'every call refused',
	});
	const links = found.flatMap(([part, text]) => (text ? h('a', { href: `#${part}` }, text) : []));
	fill(byId('unusual'), ...links.flatMap((link, place) => (place ? [' · ', link] : [link])));
}
