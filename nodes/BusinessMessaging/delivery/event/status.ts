import type { IDataObject } from 'n8n-workflow';

import type { MessageAttachment, MessageContent } from '../../service/contract';
import { isTelling, type PartCleaner } from './parts';

export interface Status {
	status: string | null;
	/** What the service says with its name, such as a failure's code and words. */
	statusDetails?: IDataObject;
}

type StateItem = NonNullable<MessageContent['state_items']>[number];

/** The newest state by its moment. The last one, if several have the same moment or none. */
export function newestStatus(
	parts: ReadonlyArray<MessageContent | MessageAttachment>,
	clean: PartCleaner,
): Status {
	let newest: { item: StateItem; name: string; moment: number } | undefined;
	for (const item of parts.flatMap(({ state_items: items }) => items ?? [])) {
		const at = item.moment ?? -Infinity;
		const name = item.state?.name;
		if (typeof name === 'string' && at >= (newest?.moment ?? -Infinity))
			newest = { item, name, moment: at };
	}
	if (!newest) return { status: null };
	const statusDetails = detailsOf(newest.item, clean);
	return {
		status: newest.name,
		...(Object.keys(statusDetails).length > 0 ? { statusDetails } : {}),
	};
}

/** What the item has as its status and time, and internals. */
const KNOWN_BESIDE = new Set(['moment', 'state', 'integration_message_ids']);
const KNOWN_INSIDE = new Set(['name']);

function detailsOf(item: StateItem, clean: PartCleaner): IDataObject {
	const telling = [
		...Object.entries(item).filter(([name]) => !KNOWN_BESIDE.has(name)),
		...Object.entries(item.state ?? {}).filter(([name]) => !KNOWN_INSIDE.has(name)),
	].filter(([, value]) => isTelling(value));
	return telling.length > 0 ? clean(Object.fromEntries(telling)) : {};
}
