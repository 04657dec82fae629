import type { INodeProperties } from 'n8n-workflow';

import { ADDRESSED, noticeUntil, TO_ANSWER, UNADDRESSED } from '../../../shared/fields';
import { panels } from './kinds';
import type { AskIn } from './kinds/kind';

const WINDOW =
	'If the channel has a window, the person must have written within the last 24 hours.';
const ROLE = 'Needs the ENTERPRISE role.';

/** One for each way to ask. Several people are colleagues. One can be the customer who wrote. */
export const notices: INodeProperties[] = (['link', 'chat'] satisfies AskIn[]).flatMap((askIn) =>
	panels.flatMap(({ responseTypes: { [askIn]: offered = [] }, asksSeveral }) =>
		offered.flatMap(({ value }) => {
			const show = { askIn: [askIn], responseType: [value] };
			const withRole = (text: string) => (askIn === 'chat' ? `${text} ${ROLE}` : text);
			if (asksSeveral) return [noticeUntil('waitNotice', withRole(WINDOW), {}, show)];
			return [
				noticeUntil('answerNotice', withRole(TO_ANSWER), UNADDRESSED, show),
				noticeUntil('waitNotice', withRole(WINDOW), ADDRESSED, show),
			];
		}),
	),
);
