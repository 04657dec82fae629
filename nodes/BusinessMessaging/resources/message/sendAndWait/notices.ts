import type { INodeProperties } from 'n8n-workflow';

import { TO_ANSWER } from '../../../shared/fields';
import { panels } from './kinds';
import type { AskIn } from './kinds/kind';

const WINDOW =
	'If the channel has a window, the person must have written to it within the last 24 hours. If not, send them a template first, and ask once they have replied.';
const ROLE =
	'To receive the reply, the account needs the ENTERPRISE role, and the service must be able to reach this n8n.';

/** One for each way to ask. Several people are colleagues. One can be the customer who wrote. */
export const notices: INodeProperties[] = (['link', 'chat'] satisfies AskIn[]).flatMap((askIn) =>
	panels.flatMap(({ responseTypes: { [askIn]: offered = [] }, asksSeveral }) =>
		offered.map(({ value }) => ({
			displayName: [
				...(asksSeveral ? [] : [TO_ANSWER]),
				WINDOW,
				...(askIn === 'chat' ? [ROLE] : []),
			].join(' '),
			name: 'waitNotice',
			type: 'notice' as const,
			default: '',
			displayOptions: { show: { askIn: [askIn], responseType: [value] } },
		})),
	),
);
