import { connectButton, isDisconnected } from './connectHere.js';
import { byId, duration, fill, h } from './dom.js';
import type { App } from './state.js';

const MINUTE = 60_000;

/** How the sandbox's clock differs from a real one; empty if it does not. */
function clock(app: App) {
	const { speed } = app.state.clock;
	const ahead = Math.round((app.now() - Date.now()) / MINUTE) * MINUTE;
	const parts = [
		ahead !== 0 && `${ahead > 0 ? '+' : '−'}${duration(Math.abs(ahead))}`,
		speed === 0 ? 'stopped' : speed !== 1 && `${speed}×`,
	].filter(Boolean);
	return parts.length > 0 && `clock ${parts.join(', ')}`;
}

function faults({ state }: App) {
	const count = state.faults.length;
	return count > 0 && `${count} ${count === 1 ? 'fault' : 'faults'} on`;
}

function disconnected(app: App) {
	const [first, ...others] = app.channels().filter(isDisconnected);
	if (!first) return [];
	if (others.length > 0) return [link('connect', `${others.length + 1} channels not connected`)];
	return [h('span', h('bdi', first.name), ' not connected ', connectButton(first))];
}

/** @param part of the page */
const link = (part: string, text: string) => h('a', { href: `#${part}` }, text);

/**
 * Shows in the header what is unusual, with a link to where it is set. The parts of Controls have
 * these ids.
 */
export function showUnusual(app: App) {
	const { blockedAddress } = app.state.settings;
	const found = Object.entries({
		'controls/clock': clock(app),
		'controls/faults': faults(app),
		'controls/service': blockedAddress !== null && 'every call refused',
	});
	const links = found.flatMap(([part, text]) => (text ? link(part, text) : []));
	fill(
		byId('unusual'),
		...[...links, ...disconnected(app)].flatMap((shown, place) =>
			place ? [' · ', shown] : [shown],
		),
	);
}
