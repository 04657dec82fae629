import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import {
	ADDRESSED,
	channelField,
	choiceField,
	fixedCollectionField,
	noticeField,
	numberField,
	optionsField,
	optionsOf,
	RECIPIENT_EXAMPLE,
	recipientField,
	shownAt,
	textField,
	TO_ANSWER,
	UNADDRESSED,
} from '../../../shared/node/fields';
import { onceFields } from '../batch/options';
import { fallbackFields } from '../template/fallback';
import { panels } from './kinds';
import { expectOptions } from './kinds/expect';
import type { AskIn } from './kinds/kind';

const waitLimitFields: INodeProperties[] = [
	choiceField('Limit Type', 'limitType', {
		default: 'afterTimeInterval',
		description: 'When the wait ends if nobody replies',
		options: {
			afterTimeInterval: ['After Time Interval', 'After a certain time'],
			atSpecifiedTime: ['At Specified Time', 'At a date and time'],
		},
	}),
	numberField('Amount', 'resumeAmount', {
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		description: 'How long to wait. N8n checks once a minute.',
	}),
	choiceField('Unit', 'resumeUnit', {
		default: 'hours',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		options: { minutes: 'Minutes', hours: 'Hours', days: 'Days' },
	}),
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		description: 'Until when to wait. Without a time zone, it is a time of the workflow.',
	},
];

const limitWaitTime = fixedCollectionField('Limit Wait Time', 'limitWaitTime', {
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for the reply. Then data.outcome is "timedOut", and no sender or channelId comes out. Without this option, a question in the chat waits 24 hours, and a link waits for ever.',
	options: [{ displayName: 'Values', name: 'values', values: waitLimitFields }],
});

const byLink = { show: { '/askIn': ['link'] } };

/** An execution in the queue runs. It takes another one's place where n8n limits how many run. */
export const DEFAULT_QUEUE_MINUTES = 2;
/** More is cut, also in workflows that were saved when more was possible. */
export const MOST_QUEUE_MINUTES = 10;

export const ANSWERED_TEXT = 'Thank you. Your answer was recorded. You can close this page.';

/** The options, those of a kind of question only with it. */
const options = optionsField([
	limitWaitTime,
	...expectOptions,
	...panels.flatMap(({ types, options: own }) =>
		own.map((option) => shownAt(option, { '/responseType': types })),
	),
	textField('Message Button Label', 'messageButtonLabel', {
		default: 'Respond',
		displayOptions: byLink,
		description: "The text on the link's button, up to 20 characters, or before the link",
	}),
	textField('Text After Answering', 'answeredText', {
		default: ANSWERED_TEXT,
		displayOptions: byLink,
		description: 'What the page says once the reply is recorded',
	}),
	numberField('Max Time in Queue', 'queueMinutes', {
		typeOptions: { minValue: 0, maxValue: MOST_QUEUE_MINUTES },
		default: DEFAULT_QUEUE_MINUTES,
		displayOptions: { show: { '/askIn': ['chat'], '/whenAnotherWaits': ['queue'] } },
		description:
			'Minutes to wait in the queue before the node fails, 10 at most. The execution keeps running meanwhile, so at most three of a process queue. The others fail at once.',
	}),
	...onceFields,
]);

const WINDOW =
	'If the channel has a window, the person must have written within the last 24 hours.';
const NOTES: Record<AskIn, string> = {
	link: 'For buttons or choices in the chat, choose "In the Chat".',
	chat: 'Needs the ENTERPRISE role.',
};

/** One for each way to ask. Several people are colleagues. One can be the customer who wrote. */
export const notices: INodeProperties[] = (['link', 'chat'] satisfies AskIn[]).flatMap((askIn) =>
	panels.flatMap(({ responseTypes: { [askIn]: offered = {} }, asksSeveral }) =>
		Object.keys(offered).flatMap((responseType) => {
			const show = { askIn: [askIn], responseType: [responseType] };
			const notice = (name: string, text: string, hide: IDisplayOptions['hide']) =>
				noticeField(name, `${text} ${NOTES[askIn]}`, { show, hide });
			if (asksSeveral) return [notice('waitNotice', WINDOW, {})];
			return [
				notice('answerNotice', TO_ANSWER, UNADDRESSED),
				notice('waitNotice', WINDOW, ADDRESSED),
			];
		}),
	),
);

const inChat = { show: { askIn: ['chat'] } };

/** Above all that it shows, and in no collection: n8n would drop what a field there shows. */
const askInField = choiceField('Ask', 'askIn', {
	noDataExpression: true,
	default: 'link',
	options: {
		link: ['By a Link', 'On a page. Anyone with the link can reply.'],
		chat: ['In the Chat', 'The person taps a button or writes. Needs the ENTERPRISE role.'],
	},
	description: 'How the person replies',
});

const approversField = textField('Also Ask', 'approvers', {
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Person' },
	default: [],
	placeholder: RECIPIENT_EXAMPLE,
	description:
		'More people to ask at the same time. The recipient above is always asked, and the first answer decides. People who cannot be asked are left out.',
});

/**
 * What is offered by a link, or in the chat. Both are named alike, as n8n's own. When `askIn`
 * changes, the editor resets a type that is not offered any more, but it then does not know values
 * that are the default, such as the resource. So the conditions do without it.
 */
const responseTypeField = (askIn: AskIn): INodeProperties =>
	choiceField('Response Type', 'responseType', {
		noDataExpression: true,
		default: 'approval',
		options: panels.flatMap(({ responseTypes }) => optionsOf(responseTypes[askIn] ?? {})),
		displayOptions: { show: { askIn: [askIn], operation: [SEND_AND_WAIT_OPERATION] } },
		description: 'What the person replies with',
	});

const whenAnotherWaitsField = choiceField('When Another Question Waits', 'whenAnotherWaits', {
	default: 'refuse',
	options: {
		refuse: ['Refuse', 'Fail with an error, and send nothing'],
		queue: ['Queue', 'Ask once the other question is over, if that is within minutes'],
	},
	displayOptions: inChat,
	description:
		'What to do if another question already waits for this person on this channel. A reply could belong to either.',
});

const instead = fallbackFields(
	inChat.show,
	'. The labels of Approve and Decline must be quick replies of the template, in any order, and the choices of a reply its quick replies or in its values. If the template cannot be read, only the words of the two labels answer.',
);

/** What a person reads and fills in, in this order. Names are n8n's own if n8n has the field. */
export const fields: INodeProperties[] = [
	askInField,
	channelField,
	{
		...recipientField,
		description:
			'The person to ask. The node asks once, for the first input item. To ask more, use Loop Over Items, or a sub-workflow for each.',
	},
	...notices,
	textField('Message', 'message', {
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. May we deliver on Tuesday?',
		description: 'The question. Buttons, a link or choices are added below it.',
	}),
	responseTypeField('link'),
	responseTypeField('chat'),
	...panels.flatMap(({ types, fields: own }) =>
		own.map((field) => shownAt(field, { responseType: types })),
	),
	...instead.slice(0, -1),
	options,
	...panels.flatMap(({ types, asksSeveral }) =>
		asksSeveral ? [shownAt(approversField, { responseType: types })] : [],
	),
	whenAnotherWaitsField,
	...instead.slice(-1), // Additional Components.
];
