import type { State } from '../http/control/administration.mts';

import { h, isolated } from './dom.js';

type Limits = State['media'][keyof State['media']];

/** Returns the address of the file. */
export type Upload = (file: File) => Promise<string>;

const KB = 1024;
const MB = 1024 * KB;

export const size = (bytes: number) =>
	bytes < MB ? `${Math.ceil(bytes / KB)} KB` : `${Math.round((bytes / MB) * 10) / 10} MB`;

const names = (types: readonly string[]) => {
	const formats = types.map((type) => type.slice(type.indexOf('/') + 1));
	return [
		...new Set(formats.map((format) => (format.startsWith('x-') ? format.slice(2) : format))),
	].join(', ');
};

/** Why a file cannot be sent; empty if it can. */
function objection(file: File, { max, types }: Limits) {
	if (!types.includes(file.type))
		return `“${isolated(file.name)}” has the type ${file.type || 'unknown'}. Choose one of: ${names(types)}.`;
	if (file.size > max)
		return `“${isolated(file.name)}” has ${size(file.size)}. Choose a file of up to ${size(max)}.`;
	return file.size === 0 ? `“${isolated(file.name)}” is empty.` : '';
}

/** Media by address, or a file of this computer. */
export function attachment(label: string, url: HTMLInputElement, limits: Limits, upload: Upload) {
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
