import { control, watch } from './api.js';
import { attempt, h } from './dom.js';
import { mountChats } from './chats.js';
import { mountConnect } from './connect.js';
import { mountControls } from './controls.js';
import { mountDeliveries } from './deliveries.js';
import { mountWebhooks } from './webhooks.js';

const VIEWS = { chats: mountChats, webhooks: mountWebhooks, deliveries: mountDeliveries, connect: mountConnect, controls: mountControls };

/** What every view reads: the state as the control API tells it, and the sandbox's time. */
const app = {
	state: undefined,
	clockReadAt: 0,
	/** The sandbox's time now, in milliseconds. */
	now() {
		const { now, speed } = this.state.clock;
		return Date.parse(now) + (Date.now() - this.clockReadAt) * speed;
	},
	channels() {
		return this.state.tenants.flatMap((tenant) => tenant.channels.map((channel) => ({ ...channel, tenant })));
	},
	/** Where a channel or a webhook is named for people. */
	channelName(id) {
		return this.channels().find((channel) => channel.id === id)?.name ?? 'Unknown channel';
	},
	async reload() {
		this.state = await control('/state');
		this.clockReadAt = Date.now();
	},
};

let view;

function show() {
	const [name, argument] = location.hash.slice(1).split('/');
	const current = VIEWS[name] ? name : 'chats';
	for (const link of document.querySelectorAll('nav a')) {
		if (link.hash === `#${current}`) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	const root = h('div', { class: `view ${current}` });
	document.getElementById('view').replaceChildren(root);
	document.title = `${current[0].toUpperCase()}${current.slice(1)} · Sandbox`;
	view = VIEWS[current](root, app, argument);
}

function tick() {
	if (!app.state) return;
	const now = new Date(app.now());
	const element = document.getElementById('now');
	element.dateTime = now.toISOString();
	element.textContent = now.toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
	const { speed } = app.state.clock;
	if (speed !== 1) element.textContent += speed === 0 ? ' (stands still)' : ` (${speed}×)`;
}

/** Notices come in bursts: the state is read again once they pause, and at least four times a second. */
const RELOADING = new Set(['channel', 'webhook', 'clock', 'fault', 'settings', 'tenant', 'reset', 'missed']);
let notices = [];
let timer;
function take(type, data) {
	notices.push({ type, data });
	timer ??= setTimeout(async () => {
		timer = undefined;
		const burst = notices;
		notices = [];
		if (burst.some((notice) => RELOADING.has(notice.type))) await attempt(() => app.reload());
		view?.update(burst);
	}, 60);
}

function live(isLive) {
	const element = document.getElementById('live');
	element.textContent = isLive ? 'live' : 'reconnecting';
	element.className = isLive ? 'on' : 'off';
	if (isLive && app.state) take('missed', {});
}

await app.reload();
show();
tick();
setInterval(tick, 1000);
window.addEventListener('hashchange', show);
watch(take, live);
