import { sessionIdOf } from '../../delivery/event/chatInput';
import { ID_FORM, ID_PATTERN } from '../../service/contract';
import { cutText } from '../../service/cutText';
import { problemIn, readRecipient } from '../../service/recipient';
import { channelField, recipientField } from '../../shared/node/fields';
import { addUnclearHint } from '../../shared/node/hints';
import { forEachItem } from '../../shared/node/items';
import type { BatchOperation } from '../../shared/node/operation';
import { readRecipientField, readText, textOf } from '../../shared/node/parameters';
import { keyOf } from '../../shared/texts/phoneNumbers';

/** Makes lists of people comparable with those who write. It calls nobody, and no item fails. */
export const normalizeRecipient: BatchOperation = {
	name: 'Normalize Recipient',
	value: 'normalizeRecipient',
	builderHint: {
		propertyHint:
			"For lists of numbers: look people up by recipient.key and, with a channelId, by recipient.sessionId, which equal the trigger's sender.key and sessionId",
	},
	action: 'Normalize a recipient',
	description:
		'Read a number, name or ID as it would be sent to. Gives recipient.identifier, .key, .sessionId and .problem.',
	fields: [
		{
			...channelField,
			required: false,
			description: "The channel whose customers these are. Adds the trigger's sessionId of each.",
		},
		{
			...recipientField,
			builderHint: { propertyHint: "The cell of a list, e.g. expr('{{ $json.phone }}')" },
			description: 'The phone number with its country code, or the name or ID, to read',
		},
	],
	async executeAll(context) {
		const read: Array<[index: number, given: string]> = [];
		const items = context.getInputData();
		const output = await forEachItem(context, async (index) => {
			const given = readRecipientField(context, index);
			read.push([index, textOf(given).trim()]);
			const recipient = normalized(given, readText(context, 'channelId', index));
			const { json, binary } = items[index]!;
			return [{ json: { ...json, recipient }, ...(binary ? { binary } : {}) }];
		});
		addUnclearHint(context, read);
		return output;
	},
};

function normalized(given: unknown, channelId: string) {
	const { identifier } = readRecipient(given);
	const key = keyOf(identifier);
	const isId = ID_PATTERN.test(channelId);
	const wrong = problemIn(given);
	const problem =
		(wrong && `It ${wrong.what}. ${wrong.todo}`) ??
		(channelId === '' || isId
			? undefined
			: `The channel is no ID: "${cutText(channelId, 64)}". An ID has ${ID_FORM}.`);
	return {
		...{ identifier, key },
		...(isId && key !== '' ? { sessionId: sessionIdOf(channelId, key) } : {}),
		...(problem === undefined ? {} : { problem }),
	};
}
