import { has, readState, watch, type Notice } from './api.js';
import { mountChats } from './chats.js';
import { mountConnect } from './connect.js';
import { mountControls } from './controls.js';
import { forgetAll } from './customers.js';
import { mountDeliveries } from './deliveries.js';
import { attempt, byId, h } from './dom.js';
import { App, type View } from './state.js';
import { mountTemplates } from './templates.js';
import { showUnusual } from './unusual.js';
import { mountWebhooks } from './webhooks.js';

const VIEWS: Map<string, (root: HTMLElement, app: App, argument: string | undefined) => View> =
	new Map([
		['chats', mountChats],
		['templates', mountTemplates],
		['webhooks', mountWebhooks],
		['deliveries', mountDeliveries],
		['connect', mountConnect],
		['controls', mountControls],
	]);

const app = new App(await readState());
let view: View;

function show() {
	const [name = '', argument] = location.hash.slice(1).split('/');
	const current = VIEWS.has(name) ? name : 'chats';
	for (const link of document.querySelectorAll('nav a')) {
		if (link.getAttribute('href') === `#${current}`) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	const root = h('div', { class: `view ${current}` });
	const isLeft = byId('view').contains(document.activeElement);
	byId('view').replaceChildren(root);
	// A link in the view that is left went with it.
	if (isLeft) byId('view').focus();
	document.title = `${current.slice(0, 1).toUpperCase()}${current.slice(1)} · Sandbox`;
	view = (VIEWS.get(current) ?? mountChats)(root, app, argument);
	document.getElementById(location.hash.slice(1))?.focus();
}

function tick() {
	const now = new Date(app.now());
	byId('now').setAttribute('datetime', now.toISOString());
	byId('date').textContent = now.toLocaleDateString([], { dateStyle: 'medium' });
	byId('hour').textContent = now.toLocaleTimeString([], { timeStyle: 'medium' });
	showUnusual(app);
}

/** The notices that change the state. */
const RELOADING: Notice['type'][] = [
	'channel',
	'webhook',
	'clock',
	'fault',
	'settings',
	'tenant',
	'reset',
	'missed',
];
/**
 * Notices come in bursts. The state is read again when they pause, and at least four times a
 * second.
 */
let notices: Notice[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function take(notice: Notice) {
	notices.push(notice);
	timer ??= setTimeout(() => void passOn(), 60);
}

async function passOn() {
	timer = undefined;
	const burst = notices;
	notices = [];
	if (has(burst, 'reset')) forgetAll();
	if (has(burst, ...RELOADING)) {
		await attempt(() => app.reload());
		tick();
	}
	view.update(burst);
}

function live(isLive: boolean) {
	const element = byId('live');
	element.textContent = isLive ? 'live' : 'reconnecting';
	element.className = isLive ? 'on' : 'off';
	if (isLive) take({ type: 'missed', data: {} });
}

// The link's address alone would open another view.
byId('skip').addEventListener('click', (event) => {
	event.preventDefault();
	byId('view').focus();
});
show();
tick();
setInterval(tick, 1000);
window.addEventListener('hashchange', show);
watch(take, live);
