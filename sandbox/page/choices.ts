import { fill, h, within, type Child } from './dom.js';

interface Choice {
	id: string;
	content: Child[];
}

/** The next place for each key, from the focused place and the last place. */
const KEYS: Record<string, (place: number, last: number) => number> = {
	ArrowDown: (place, last) => Math.min(place + 1, last),
	ArrowUp: (place) => Math.max(place - 1, 0),
	Home: () => 0,
	End: (_place, last) => last,
};

/**
 * A list of buttons, one of them chosen. The whole list is one stop of the Tab key. The arrow keys,
 * Home and End move in it, Enter chooses.
 */
export function choices({
	className,
	label,
	empty,
	onChoose,
}: {
	className: string;
	label: string;
	empty: string;
	onChoose: (id: string) => void;
}) {
	const hint = h(
		'span.visually-hidden',
		{ id: `${className}-keys` },
		'The arrow keys move in this list, Enter chooses.',
	);
	const list = h('ul', { class: className, 'aria-label': label, 'aria-describedby': hint.id });
	const buttons = () => [...list.querySelectorAll('button')];
	const find = (id: string | undefined) => buttons().find(({ dataset }) => dataset['id'] === id);
	const focused = () => buttons().find((button) => button === document.activeElement);

	list.addEventListener('click', (event) => {
		const button = within(event, 'button');
		const id = button?.dataset['id'];
		if (id === undefined) return;
		for (const other of buttons()) other.setAttribute('aria-pressed', String(other === button));
		onChoose(id);
	});
	list.addEventListener('focusin', () => {
		const stop = focused();
		for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
	});
	list.addEventListener('keydown', (event) => {
		const all = buttons();
		const place = all.findIndex((button) => button === document.activeElement);
		const next = KEYS[event.key]?.(place, all.length - 1);
		if (place < 0 || next === undefined) return;
		event.preventDefault();
		all[next]?.focus();
	});
	return {
		elements: [list, hint],
		/** Focuses the chosen button, or the first. */
		focus: () =>
			buttons()
				.find(({ tabIndex }) => tabIndex === 0)
				?.focus(),
		/** Keeps the focus on its button, even if the button moves. */
		render(all: Choice[], chosen: string | undefined) {
			const held = focused()?.dataset['id'];
			const ids = all.map(({ id }) => id);
			const stop = [held, chosen, ids[0]].find((id) => id !== undefined && ids.includes(id));
			const rows = all.map(({ id, content }) => row(id, content, id === chosen, id === stop));
			fill(list, rows.length ? rows : h('li.empty', empty));
			if (held !== undefined) find(held)?.focus({ preventScroll: true });
		},
	};
}

const row = (id: string, content: Child[], isChosen: boolean, isStop: boolean) =>
	h(
		'li',
		h(
			'button',
			{
				type: 'button',
				'data-id': id,
				'aria-pressed': String(isChosen),
				tabIndex: isStop ? 0 : -1,
			},
			...content,
		),
	);
