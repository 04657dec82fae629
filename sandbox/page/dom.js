/**
 * Makes an element. `on…` properties are listeners, `class`, `for` and names with a dash are attributes, the others are properties.
 * Texts become text nodes, never markup; null, undefined and false are left out.
 */
export function h(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (name === 'class' || name === 'for' || name === 'role' || name.includes('-')) element.setAttribute(name, value);
		else element[name] = value;
	}
	element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
	return element;
}

/** Replaces the children of an element, and leaves it alone when nothing changed, so that focus and scroll stay. */
export function fill(element, ...children) {
	const next = h('div', {}, ...children);
	if (next.innerHTML !== element.innerHTML || next.querySelector('input, select, textarea')) element.replaceChildren(...next.childNodes);
}

export const option = (value, label, selected) => h('option', { value, selected }, label);

let fields = 0;

/** A control under its label. */
export function field(label, control, hint) {
	fields += 1;
	control.id ||= `field-${fields}`;
	if (hint) control.setAttribute('aria-describedby', `hint-${fields}`);
	return h(
		'div',
		{ class: 'field' },
		h('label', { for: control.id }, label),
		control,
		hint && h('small', { id: `hint-${fields}` }, hint),
	);
}

/** A labelled on/off switch. */
export function toggle(label, checked, onchange) {
	const input = h('input', { type: 'checkbox', role: 'switch', checked, onchange: () => onchange(input.checked) });
	return h('label', { class: 'switch' }, input, h('span', {}, label));
}

export function toast(message, isError = true) {
	const item = h('p', { class: isError ? 'toast bad' : 'toast' }, message);
	document.getElementById('toasts').append(item);
	setTimeout(() => item.remove(), 6000);
}

/** Runs what a person asked for, and shows why if it fails. */
export async function attempt(work) {
	try {
		return await work();
	} catch (error) {
		toast(error.message);
		return undefined;
	}
}

/** Makes a function that does its work once at a time: what is asked for meanwhile is done once more afterwards. */
export function oneAtATime(work) {
	let running;
	let again = false;
	return async function run() {
		if (running) {
			again = true;
			return running;
		}
		running = work();
		await running;
		running = undefined;
		if (!again) return undefined;
		again = false;
		return run();
	};
}

const DAY = 86_400_000;

/** A time as a person reads it: the hour today, the date before. */
export function shortTime(iso, nowMs = Date.now()) {
	const date = new Date(iso);
	const isNear = Math.abs(nowMs - date.getTime()) < DAY;
	return isNear
		? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
		: date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}

/** `3 h 12 min`: how long something still takes. */
export function duration(ms) {
	const minutes = Math.max(0, Math.floor(ms / 60_000));
	return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
}
