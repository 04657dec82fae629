import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { keyOf, keyOfEntered } from '../../../../shared/texts/phoneNumbers';
import {
	choiceField,
	fixedCollectionField,
	switchField,
	textField,
} from '../../../../shared/node/fields';
import { asPlainObject } from '../../../../service/parseJson';
import { CHOICE_NAME, choicePage } from './pages';
import { TELL_OTHERS } from '../tellOthers';
import { chatQuestionShape, questionShape, readLinkLabel, textOr } from './kind';
import type { AskIn, ChatKind, DraftOf, DraftSource, LinkKind, Panel } from './kind';
import { checkButtonLabel, checkLabels, matchLabel } from './matchChoices';

/** The buttons by default. n8n's own links have one. The chat shows no other way to decline. */
const DEFAULT_TYPE = { link: 'single', chat: 'double' } as const satisfies Record<AskIn, string>;

const approvalFields = [
	// One for both ways to ask: of two with one name, the editor adds the last one's.
	choiceField('Type of Approval', 'approvalType', {
		default: 'usual',
		options: {
			usual: ['As Usual', 'In the chat both, by a link Approve only'],
			single: 'Approve Only',
			double: 'Approve and Decline',
		},
	}),
	textField('Approve Button Label', 'approveLabel', {
		default: 'Approve',
		description: 'The text on the button, in the chat up to 20 characters',
	}),
	textField('Decline Button Label', 'disapproveLabel', {
		default: 'Decline',
		displayOptions: { hide: { approvalType: ['single'] } },
		description: 'The text on the button, in the chat up to 20 characters',
	}),
];

export const approvalOptions: INodeProperties[] = [
	choiceField('Link As', 'linkAs', {
		default: 'button',
		options: { button: 'Button', text: 'Text' },
		displayOptions: { show: { '/askIn': ['link'] } },
		description: 'How the link is sent',
	}),
	switchField('Taps Carry IDs', 'tapsCarryIds', {
		// As `TAPS_CARRY_IDS` assumes.
		default: true,
		displayOptions: { show: { '/askIn': ['chat'] } },
		description:
			'Whether the service tells which button was tapped. Turn it off if the probe says that it does not: taps then count by their words and time, once the question was asked again.',
	}),
	textField('Tell the Others', 'tellOthers', {
		default: TELL_OTHERS,
		description:
			'What to write to the other approvers. {name} is who replied, {answer} what. Leave empty to write nothing.',
	}),
];

/** The text for the other approvers after the first reply. Empty: they get none. */
const tellOthers = z.string();

export const approvalSchema = z.object({
	...questionShape,
	kind: z.literal('approval'),
	approveLabel: z.string(),
	disapproveLabel: z.string().optional(),
	/** If several people were asked. */
	several: z
		.object({
			channelId: z.string(),
			/** By the `approver` of their links. */
			people: z.record(z.string()),
			tellOthers,
		})
		.optional(),
});
export type ApprovalQuestion = z.infer<typeof approvalSchema>;

export const approvalInChatSchema = z.object({
	...chatQuestionShape,
	kind: z.literal('approvalInChat'),
	tellOthers,
	/** False: the service gives no IDs, so a tap without one counts once it was asked again. */
	tapsCarryIds: z.literal(false).optional(),
});
export type ApprovalInChat = z.infer<typeof approvalInChatSchema>;

type Draft = DraftOf<ApprovalQuestion | ApprovalInChat>;

const panel: Panel<Draft> = {
	responseTypes: {
		link: { approval: ['Approval', 'Buttons on a page. Gives data.approved.'] },
		chat: { approval: ['Approval', 'Buttons below the question. Gives data.approved.'] },
	},
	fields: [
		fixedCollectionField('Approval Options', 'approvalOptions', {
			placeholder: 'Add Option',
			description:
				'The buttons. In the chat there are both from the start: Approve and Decline. A link has Approve only.',
			options: [{ displayName: 'Values', name: 'values', values: approvalFields }],
		}),
	],
	options: approvalOptions,
	asksSeveral: true,
	read: readDraft,
};

const typeOf = (given: unknown, askIn: AskIn): unknown =>
	given === undefined || given === 'usual' ? DEFAULT_TYPE[askIn] : given;

function readDraft({ context, askIn, options, common }: DraftSource): Draft {
	const values = asPlainObject(context.getNodeParameter('approvalOptions.values', 0, {}));
	const approveLabel = textOr(values.approveLabel, 'Approve Button Label', 'Approve').trim();
	const disapproveLabel =
		typeOf(values.approvalType, askIn) === 'double'
			? textOr(values.disapproveLabel, 'Decline Button Label', 'Decline').trim()
			: undefined;
	if (askIn === 'link')
		return {
			...common,
			kind: 'approval',
			approveLabel,
			...(disapproveLabel === undefined ? {} : { disapproveLabel }),
		};
	const choices = [approveLabel, ...(disapproveLabel === undefined ? [] : [disapproveLabel])];
	const fields = ['Approve Button Label', 'Decline Button Label'].slice(0, choices.length);
	checkLabels(choices, fields);
	for (const [index, choice] of choices.entries()) checkButtonLabel(choice, fields[index]!);
	return {
		...common,
		kind: 'approvalInChat',
		choices,
		buttons: true,
		...(options.tapsCarryIds === false ? { tapsCarryIds: false } : {}),
	};
}

/** The values of the buttons on the page. */
const choicesOf = ({ approveLabel, disapproveLabel }: ApprovalQuestion) => [
	{ value: 'true', label: approveLabel },
	...(disapproveLabel === undefined ? [] : [{ value: 'false', label: disapproveLabel }]),
];

const timedOut = { approved: false };

export const approval: LinkKind<ApprovalQuestion, Draft> = {
	panel,
	timedOut,
	readLink(options: IDataObject) {
		const as = options.linkAs === 'text' ? 'text' : 'button';
		const label = readLinkLabel(options).trim();
		if (as === 'button') checkButtonLabel(label, 'Message Button Label');
		return { label, as };
	},
	page: (question) => choicePage(question.message, choicesOf(question)),
	read(question, entered, approver) {
		const chosen = choicesOf(question).find(({ value }) => value === entered[CHOICE_NAME]);
		if (!chosen) return { again: approval.page(question) };
		const approved = chosen.value === 'true';
		const { several } = question;
		const identifier = several?.people[String(approver)];
		if (!several || identifier === undefined) return { data: { approved } };
		// A link tells no name.
		const responder = { identifier, name: null };
		const decision = {
			...{ approved, responder, label: chosen.label, channelId: several.channelId },
			...{ people: Object.values(several.people), first: identifier, text: several.tellOthers },
		};
		return { data: { approved, responder }, decision };
	},
};

export const approvalInChat: ChatKind<ApprovalInChat, Draft> = {
	panel,
	timedOut,
	answers: 'approval',
	matchWords: matchLabel,
	takesBareTaps: false,
	read(question, { message, identifier, chosen = -1 }) {
		const { channelId, recipient, approvers: others = [], choices, tellOthers: text } = question;
		const approved = chosen === 0;
		const responder = { identifier, name: message.sender.name };
		const people = [recipient, ...others];
		const first = people.find((person) => keyOfEntered(person) === keyOf(identifier)) ?? '';
		const label = choices[chosen] ?? '';
		const decision = { approved, responder, label, channelId, people, first, text };
		return { data: { approved, responder }, decision };
	},
};
