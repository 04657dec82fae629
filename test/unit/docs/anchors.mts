import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

/** A heading's anchor in GitHub's form. */
export const anchorOf = (heading: string): string =>
	heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/\s/g, '-');

/** The anchors of a page's headings and table rows. @param page path in the repository */
export function anchorsOf(page: string): Set<string> {
	const text = readFileSync(join(checkout, page), 'utf8').replace(/^```[^]*?^```/gm, '');
	return new Set([
		...[...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? '')),
		...[...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id),
	]);
}
