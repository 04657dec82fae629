/** @typedef {Node | string | false | null | undefined} Leaf */
/** @typedef {Leaf | Leaf[] | Leaf[][]} Child */

/** @typedef {keyof HTMLElementTagNameMap} Tag */
/**
 * @template {string} S
 * @typedef {S extends `${infer T extends Tag}.${string}`
 *   ? HTMLElementTagNameMap[T] : S extends Tag ? HTMLElementTagNameMap[S] : never} Made
 */

/**
 * Makes an element. `on…` properties are listeners. `class`, `for` and names with a dash are
 * attributes. The others are properties. Texts become text nodes, never markup. null, undefined and
 * false are left out.
 * @template {Tag | `${Tag}.${string}`} S
 * @param {S} selector its tag and classes: `p.muted`
 * @param {Child[] | [Record<string, unknown>, ...Child[]]} given its properties, if it has any, and
 * its children
 * @returns {Made<S>}
 */
export function h(selector, ...given) {
	const [tag = '', ...classes] = selector.split('.');
	const element = document.createElement(tag);
	if (classes.length > 0) element.className = classes.join(' ');
	const hasProperties = given[0]?.constructor === Object;
	const [properties, ...children] = /** @type {[Record<string, unknown>, ...Child[]]} */ (
		hasProperties ? given : [{}, ...given]
	);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
		else if (name === 'class' || name === 'for' || name === 'role' || name.includes('-'))
			element.setAttribute(name, String(value));
		// Data in the place of properties, which the sandbox lets in nowhere, never becomes markup.
		else if (/html|^srcdoc$|^__proto__$/i.test(name)) throw new Error(`${name} is never set`);
		else Object.assign(element, { [name]: value });
	}
	const leaves = /** @type {Leaf[]} */ (children.flat(2));
	// One by one: a call takes a limited number of arguments.
	for (const leaf of leaves)
		if (leaf !== null && leaf !== undefined && leaf !== false) element.append(leaf);
	return /** @type {Made<S>} */ (element);
}

/**
 * An element that index.html holds.
 * @param {string} id
 */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no element ${id}`);
	return element;
}

/**
 * The first letter of a name. An emoji, which has two units, comes whole.
 * @param {string} name
 */
export const initial = (name) => String.fromCodePoint(name.codePointAt(0) ?? 32);

/**
 * The closest element with this selector to where something happened.
 * @param {Event} event
 * @param {string} selector
 */
export const within = ({ target }, selector) =>
	target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;

/**
 * Replaces the children of an element. Changes nothing if they are equal, so that focus and scroll
 * stay.
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
	const next = h('div', ...children);
	if (next.innerHTML === element.innerHTML && !next.querySelector(INPUTS)) return;
	refocused(element, () => element.replaceChildren(...next.childNodes));
}

/**
 * Changes an element. If the focused element goes, the one that is now in its place gets the focus.
 * @param {Element} element
 * @param {() => void} change
 */
export function refocused(element, change) {
	const stops = [...element.querySelectorAll(STOPS)];
	const place = document.activeElement ? stops.indexOf(document.activeElement) : -1;
	change();
	const stop = element.querySelectorAll(STOPS)[place];
	if (stop instanceof HTMLElement && document.activeElement === document.body) stop.focus();
}

const INPUTS = 'input, select, textarea';
const STOPS = `${INPUTS}, button, a`;

/**
 * A name in any script, where only text is possible. The two characters work like `<bdi>`.
 * @param {string} name
 */
export const isolated = (name) => `\u2068${name}\u2069`;

/**
 * @param {string | number} value
 * @param {string} label
 * @param {boolean} [selected]
 */
export const option = (value, label, selected) => h('option', { value, selected }, label);

/**
 * A list to choose from.
 * @param {Array<readonly [value: string | number, label: string]>} choices
 * @param {unknown} [chosen] a value
 * @param {Record<string, unknown>} [properties]
 */
export const select = (choices, chosen, properties = {}) =>
	h(
		'select',
		properties,
		choices.map(([value, label]) => option(value, label, value === chosen)),
	);

/**
 * Offers choices in a list that is there. If they are the same, an open list stays open.
 * @param {HTMLSelectElement} list
 * @param {Array<readonly [value: string | number, label: string]>} choices
 * @param {unknown} [chosen] a value
 */
export function offer(list, choices, chosen = list.value) {
	fill(
		list,
		choices.map(([value, label]) => option(value, label)),
	);
	if (choices.some(([value]) => value === chosen)) list.value = String(chosen);
}

/**
 * A panel of fields that does something when they are sent.
 * @param {() => unknown} onsend
 * @param {Child[]} children
 */
export function panelForm(onsend, ...children) {
	const onsubmit = (/** @type {Event} */ event) => {
		event.preventDefault();
		onsend();
	};
	return h('form.panel', { onsubmit }, ...children);
}

let fields = 0;

/**
 * A control under its label.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
	fields += 1;
	control.id ||= `field-${fields}`;
	if (hint) control.setAttribute('aria-describedby', `hint-${fields}`);
	return h(
		'div.field',
		h('label', { for: control.id }, label),
		control,
		hint && h('small', { id: `hint-${fields}` }, hint),
	);
}

/**
 * A labelled on/off switch.
 * @param {Child} label
 * @param {boolean} checked
 * @param {(checked: boolean) => unknown} onchange
 */
export function toggle(label, checked, onchange) {
	const input = h('input', { type: 'checkbox', role: 'switch', checked });
	input.addEventListener('change', () => onchange(input.checked));
	return h('label.switch', input, h('span', label));
}

/**
 * Asks in a dialog and returns the value of the button that closed it; empty if the person left.
 * @param {string} id of the title
 * @param {Child[]} content
 * @returns {Promise<string>}
 */
export function ask(id, ...content) {
	return new Promise((resolve) => {
		const form = h('form', { method: 'dialog' }, ...content);
		const dialog = h('dialog', { 'aria-labelledby': id }, form);
		dialog.addEventListener('close', () => {
			dialog.remove();
			resolve(dialog.returnValue);
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}

/** @param {string} message */
export function toast(message, isError = true) {
	const item = h('p', { class: isError ? 'toast bad' : 'toast' }, message);
	byId('toasts').append(item);
	setTimeout(() => item.remove(), 6000);
}

/**
 * Downloads a text as a file.
 * @param {string} name of the file
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
	const href = URL.createObjectURL(new Blob([text], { type }));
	h('a', { href, download: name }).click();
	// Some browsers read it only after the click.
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * Runs what a person asked for, and shows the error if it fails.
 * @template T
 * @param {() => Promise<T>} work
 */
export async function attempt(work) {
	try {
		return await work();
	} catch (error) {
		toast(error instanceof Error ? error.message : String(error));
		return undefined;
	}
}

/**
 * Makes a function that never runs twice at once. Calls during a run cause one more run afterwards.
 * @param {() => Promise<void>} work
 */
export function oneAtATime(work) {
	/** @type {Promise<void> | undefined} */
	let running;
	let again = false;
	/** @returns {Promise<void>} */
	return async function run() {
		if (running) {
			again = true;
			return running;
		}
		running = work();
		await running;
		running = undefined;
		if (!again) return;
		again = false;
		return run();
	};
}

const DAY = 86_400_000;

/**
 * A time for people: the hour if it is today, else the date.
 * @param {string} iso
 */
export function shortTime(iso, nowMs = Date.now()) {
	const date = new Date(iso);
	const isNear = Math.abs(nowMs - date.getTime()) < DAY;
	return isNear
		? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
		: date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}

/**
 * A time to the second, with its date if it is not near.
 * @param {string} iso
 * @param {number} nowMs
 */
export function exactTime(iso, nowMs) {
	const date = new Date(iso);
	const isNear = Math.abs(nowMs - date.getTime()) < DAY;
	return isNear
		? date.toLocaleTimeString([], { timeStyle: 'medium' })
		: date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
}

/**
 * The beginning of a text, with a limit in characters. An emoji stays whole.
 * @param {string} text
 * @param {number} most
 */
export const shortened = (text, most) =>
	text.length > most ? `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…` : text;

/**
 * A duration: `3 h 12 min`, `24 h`, `5 min`.
 * @param {number} ms
 */
export function duration(ms) {
	const minutes = Math.max(0, Math.floor(ms / 60_000));
	if (minutes < 60) return `${minutes} min`;
	const rest = minutes % 60;
	return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ''}`;
}
