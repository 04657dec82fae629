import { h, isolated } from './dom.js';

/** @import { State } from '../http/control/administration.mts' */
/** @typedef {State['media'][keyof State['media']]} Limits */
/** @typedef {(file: File) => Promise<string>} Upload returns the address of the file */

const KB = 1024;
const MB = 1024 * KB;

/** @param {number} bytes */
export const size = (bytes) =>
	bytes < MB ? `${Math.ceil(bytes / KB)} KB` : `${Math.round((bytes / MB) * 10) / 10} MB`;

/** @param {readonly string[]} types */
const names = (types) => {
	const formats = types.map((type) => type.slice(type.indexOf('/') + 1));
	return [
		...new Set(formats.map((format) => (format.startsWith('x-') ? format.slice(2) : format))),
	].join(', ');
};

/**
 * Why a file cannot be sent; empty if it can.
 * @param {File} file
 * @param {Limits} limits
 */
function objection(file, { max, types }) {
	if (!types.includes(file.type))
		return `“${isolated(file.name)}” has the type ${file.type || 'unknown'}. Choose one of: ${names(types)}.`;
	if (file.size > max)
		return `“${isolated(file.name)}” has ${size(file.size)}. Choose a file of up to ${size(max)}.`;
	return file.size === 0 ? `“${isolated(file.name)}” is empty.` : '';
}

/**
 * Media by address, or a file of this computer.
 * @param {string} label
 * @param {HTMLInputElement} url
 * @param {Limits} limits
 * @param {Upload} upload
 */
export function attachment(label, url, limits, upload) {
	const id = `attach-${label.toLowerCase()}`;
	const error = h('p.bad', { role: 'alert' });
	const hint = h('small', { id }, `or a file of up to ${size(limits.max)}: ${names(limits.types)}`);
	const file = h('input', {
		type: 'file',
		accept: limits.types.join(','),
		'aria-label': `${label} file`,
		'aria-describedby': id,
	});
	Object.assign(url, { type: 'url', pattern: 'https?://.+', title: 'An http or https address' });
	file.addEventListener('change', () => {
		const [chosen] = file.files ?? [];
		error.textContent = chosen ? objection(chosen, limits) : '';
		if (error.textContent) file.value = '';
		url.required = file.value === '';
		if (file.value) url.value = '';
	});
	url.addEventListener('input', () => {
		file.value = '';
		url.required = true;
		error.textContent = '';
	});
	return {
		elements: [url, file, h('div.about', hint, error)],
		/** The address to send. A file is uploaded first. */
		async address() {
			const [chosen] = file.files ?? [];
			return chosen ? upload(chosen) : url.value;
		},
	};
}
