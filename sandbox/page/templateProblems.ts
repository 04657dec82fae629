type Control = HTMLInputElement | HTMLTextAreaElement;
export type Rule = [control: Control, isWrong: unknown, says: string];

export interface Component {
	type: string;
	buttons?: Array<{ type: string }>;
}

/** A sentence that begins with the label of its control. */
export const labelled = (control: Control, says: string) =>
	`${control.labels?.[0]?.textContent}: ${says}`;

/** The names of the variables in a text. */
export const variablesIn = (text: string) => [
	...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)),
];

/** Each variable needs an example. */
export function exampleRule(control: Control, text: string, samples: string[]): Rule {
	const lacking = variablesIn(text).slice(samples.length);
	const written = lacking.map((name) => `{{${name}}}`).join(', ');
	return [control, written, `enter a value for ${written}`];
}

/**
 * The refusal of a template in the words of its form: a label in place of a path.
 * @param controls by what they make
 */
export function refusal(
	message: string,
	components: Component[],
	controls: Record<string, Control>,
) {
	const [path = '', ...rest] = message.split(': ');
	const says = rest.join(': ');
	const [, part, , button] = path.split('.');
	const made = components[Number(part)];
	const control = controls[made?.buttons?.[Number(button)]?.type ?? made?.type ?? path];
	if (control) return labelled(control, says);
	const isOfSeveral = path === 'components' || path === 'buttons';
	return isOfSeveral ? `${says.slice(0, 1).toUpperCase()}${says.slice(1)}` : message;
}
