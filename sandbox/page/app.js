import { has, readState, watch } from './api.js';
import { mountChats } from './chats.js';
import { mountConnect } from './connect.js';
import { mountControls } from './controls.js';
import { forgetAll } from './customers.js';
import { mountDeliveries } from './deliveries.js';
import { attempt, byId, h } from './dom.js';
import { App } from './state.js';
import { mountTemplates } from './templates.js';
import { showUnusual } from './unusual.js';
import { mountWebhooks } from './webhooks.js';

/**
 * @import { Notice } from './api.js'
 * @import { View } from './state.js'
 */

/** @type {Map<string, (root: HTMLElement, app: App, argument: string | undefined) => View>} */
const VIEWS = new Map([
	['chats', mountChats],
	['templates', mountTemplates],
	['webhooks', mountWebhooks],
	['deliveries', mountDeliveries],
	['connect', mountConnect],
	['controls', mountControls],
]);

const app = new App(await readState());
/** @type {View} */
let view;

function show() {
	const [name = '', argument] = location.hash.slice(1).split('/');
	const current = VIEWS.has(name) ? name : 'chats';
	for (const link of document.querySelectorAll('nav a')) {
		if (link.getAttribute('href') === `#${current}`) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	const root = h('div', { class: `view ${current}` });
	byId('view').replaceChildren(root);
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

/**
 * The notices that change the state.
 * @type {Notice['type'][]}
 */
const RELOADING = ['channel', 'webhook', 'clock', 'fault', 'settings', 'tenant', 'reset', 'missed'];
/**
 * Notices come in bursts. The state is read again when they pause, and at least four times a
 * second.
 * @type {Notice[]}
 */
let notices = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Notice} notice */
function take(notice) {
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

/** @param {boolean} isLive */
function live(isLive) {
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
