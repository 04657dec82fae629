/** @typedef {HTMLInputElement | HTMLTextAreaElement} Control */
/** @typedef {[control: Control, isWrong: unknown, says: string]} Rule */
/** @typedef {{ type: string, buttons?: Array<{ type: string }> }} Component */

/**
 * A sentence that begins with the label of its control.
 * @param {Control} control
 * @param {string} says
 */
export const labelled = (control, says) => `${control.labels?.[0]?.textContent}: ${says}`;

/**
 * The names of the variables in a text.
 * @param {string} text
 */
export const variablesIn = (text) => [
	...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)),
];

/**
 * Each variable needs an example.
 * @param {Control} control
 * @param {string} text
 * @param {string[]} samples
 * @returns {Rule}
 */
export function exampleRule(control, text, samples) {
	const lacking = variablesIn(text).slice(samples.length);
	const written = lacking.map((name) => `{{${name}}}`).join(', ');
	return [control, written, `enter a value for ${written}`];
}

/**
 * The refusal of a template in the words of its form: a label in place of a path.
 * @param {string} message
 * @param {Component[]} components
 * @param {Record<string, Control>} controls by what they make
 */
export function refusal(message, components, controls) {
	const [path = '', ...rest] = message.split(': ');
	const says = rest.join(': ');
	const [, part, , button] = path.split('.');
	const made = components[Number(part)];
	const control = controls[made?.buttons?.[Number(button)]?.type ?? made?.type ?? path];
	if (control) return labelled(control, says);
	const isOfSeveral = path === 'components' || path === 'buttons';
	return isOfSeveral ? `${says.slice(0, 1).toUpperCase()}${says.slice(1)}` : message;
}
