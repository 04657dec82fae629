export type Leaf = Node | string | false | null | undefined;
export type Child = Leaf | Leaf[] | Leaf[][];

type Tag = keyof HTMLElementTagNameMap;
type Made<S extends string> = S extends `${infer T extends Tag}.${string}`
	? HTMLElementTagNameMap[T]
	: S extends Tag
		? HTMLElementTagNameMap[S]
		: never;

/**
 * Makes an element. `on…` properties are listeners. `class`, `for` and names with a dash are
 * attributes. The others are properties. Texts become text nodes, never markup. null, undefined and
 * false are left out.
 * @param selector its tag and classes: `p.muted`
 * @param given its properties, if it has any, and its children
 */
export function h<S extends Tag | `${Tag}.${string}`>(
	selector: S,
	...given: Child[] | [Record<string, unknown>, ...Child[]]
): Made<S> {
	const [tag = '', ...classes] = selector.split('.');
	const element = document.createElement(tag);
	if (classes.length > 0) element.className = classes.join(' ');
	const hasProperties = given[0]?.constructor === Object;
	const [properties, ...children] = (hasProperties ? given : [{}, ...given]) as [
		Record<string, unknown>,
		...Child[],
	];
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
		else if (name === 'class' || name === 'for' || name === 'role' || name.includes('-'))
			element.setAttribute(name, String(value));
		// Data in the place of properties, which the sandbox lets in nowhere, never becomes markup.
		else if (/html|^srcdoc$|^__proto__$/i.test(name)) throw new Error(`${name} is never set`);
		else Object.assign(element, { [name]: value });
	}
	const leaves: Leaf[] = children.flat(2);
	// One by one: a call takes a limited number of arguments.
	for (const leaf of leaves)
		if (leaf !== null && leaf !== undefined && leaf !== false) element.append(leaf);
	return element as Made<S>;
}

/** An element that index.html holds. */
export function byId(id: string) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no element ${id}`);
	return element;
}

/** The first letter of a name. An emoji, which has two units, comes whole. */
export const initial = (name: string) => String.fromCodePoint(name.codePointAt(0) ?? 32);

/** The closest element with this selector to where something happened. */
export const within = ({ target }: Event, selector: string) =>
	target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/**
 * Replaces the children of an element. Changes nothing if they are equal, so that focus and scroll
 * stay.
 */
export function fill(element: Element, ...children: Child[]) {
	const next = h('div', ...children);
	if (next.innerHTML === element.innerHTML && !next.querySelector(INPUTS)) return;
	refocused(element, () => element.replaceChildren(...next.childNodes));
}

/**
 * Changes an element. If the focused element goes, the one that is now in its place gets the focus;
 * if none is, the last one, or the view.
 */
export function refocused(element: Element, change: () => void) {
	const stops = () => [...element.querySelectorAll<HTMLElement>(STOPS)];
	const place = stops().findIndex((stop) => stop === document.activeElement);
	change();
	if (place < 0 || document.activeElement !== document.body) return;
	(stops()[place] ?? stops().at(-1) ?? byId('view')).focus();
}

const INPUTS = 'input, select, textarea';
const STOPS = `${INPUTS}, button, a`;

/** A name in any script, where only text is possible. The two characters work like `<bdi>`. */
export const isolated = (name: string) => `\u2068${name}\u2069`;

/** A choice of a list. A text is its own label. */
type Choice = string | readonly [value: string | number, label: string];

const optionsOf = (choices: readonly Choice[], chosen?: unknown) =>
	choices.map((choice) => {
		const [value, label] = typeof choice === 'string' ? [choice, choice] : choice;
		return h('option', { value, selected: value === chosen }, label);
	});

/**
 * A list to choose from.
 * @param chosen a value
 */
export const select = (
	choices: readonly Choice[],
	chosen?: unknown,
	properties: Record<string, unknown> = {},
) => h('select', properties, optionsOf(choices, chosen));

/**
 * Offers choices in a list that is there. If they are the same, an open list stays open.
 * @param chosen a value
 */
export function offer(
	list: HTMLSelectElement,
	choices: readonly Choice[],
	chosen: unknown = list.value,
) {
	const options = optionsOf(choices);
	fill(list, options);
	if (options.some(({ value }) => value === String(chosen))) list.value = String(chosen);
}

/** A panel of fields that does something when they are sent. */
export function panelForm(onsend: () => unknown, ...children: Child[]) {
	const onsubmit = (event: Event) => {
		event.preventDefault();
		onsend();
	};
	return h('form.panel', { onsubmit }, ...children);
}

let fields = 0;

/** A control under its label. */
export function field(label: string, control: HTMLElement, hint?: string) {
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

/** A labelled on/off switch. */
export function toggle(label: Child, checked: boolean, onchange: (checked: boolean) => unknown) {
	const input = h('input', { type: 'checkbox', role: 'switch', checked });
	input.addEventListener('change', () => onchange(input.checked));
	return h('label.switch', input, h('span', label));
}

/**
 * Asks in a dialog and returns the value of the button that closed it; empty if the person left.
 * Enter presses the first button.
 * @param id of the title
 * @param content a text is a paragraph
 */
export function ask(
	id: string,
	title: Child,
	content: Leaf[],
	...buttons: HTMLElement[]
): Promise<string> {
	return new Promise((resolve) => {
		const parts = content.map((part) => (typeof part === 'string' ? h('p', part) : part));
		const head = h('h3', { id }, title);
		const form = h('form', { method: 'dialog' }, head, parts, h('footer.row', buttons));
		const dialog = h('dialog', { 'aria-labelledby': id }, form);
		dialog.addEventListener('close', () => {
			dialog.remove();
			resolve(dialog.returnValue);
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}

export function toast(message: string, isError = true) {
	const item = h('p', { class: isError ? 'toast bad' : 'toast' }, message);
	byId('toasts').append(item);
	setTimeout(() => item.remove(), 6000);
}

/**
 * Downloads a text as a file.
 * @param name of the file
 */
export function save(name: string, text: string, type: string) {
	const href = URL.createObjectURL(new Blob([text], { type }));
	h('a', { href, download: name }).click();
	// Some browsers read it only after the click.
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Runs what a person asked for, and shows the error if it fails. */
export async function attempt<T>(work: () => Promise<T>) {
	try {
		return await work();
	} catch (error) {
		toast(error instanceof Error ? error.message : String(error));
		return undefined;
	}
}

/**
 * Makes a function that never runs twice at once. Calls during a run cause one more run afterwards.
 */
export function oneAtATime(work: () => Promise<void>) {
	let running: Promise<void> | undefined;
	let again = false;
	return async function run(): Promise<void> {
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

/** A time for people: the hour if it is today, else the date. */
export function shortTime(iso: string, nowMs = Date.now()) {
	const date = new Date(iso);
	const isNear = Math.abs(nowMs - date.getTime()) < DAY;
	return isNear
		? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
		: date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}

/** A time to the second, with its date if it is not near. */
export function exactTime(iso: string, nowMs: number) {
	const date = new Date(iso);
	const isNear = Math.abs(nowMs - date.getTime()) < DAY;
	return isNear
		? date.toLocaleTimeString([], { timeStyle: 'medium' })
		: date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
}

/** The beginning of a text, with a limit in characters. An emoji stays whole. */
export const shortened = (text: string, most: number) =>
	text.length > most ? `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…` : text;

/** A duration: `3 h 12 min`, `24 h`, `5 min`. */
export function duration(ms: number) {
	const minutes = Math.max(0, Math.floor(ms / 60_000));
	if (minutes < 60) return `${minutes} min`;
	const rest = minutes % 60;
	return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ''}`;
}
