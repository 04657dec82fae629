import { problemIn, readRecipient } from '../../service/recipient';
import { recipientField } from '../../shared/fields';
import { addUnclearHint } from '../../shared/hints';
import type { BatchOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readRecipientField } from '../../shared/parameters';
import { keyOf } from '../../shared/phoneNumbers';

/** Makes lists of people comparable with those who write. It calls nobody, and no item fails. */
export const normalizeRecipient: BatchOperation = {
	option: {
		name: 'Normalize Recipient',
		value: 'normalizeRecipient',
		builderHint: {
			propertyHint:
				"For lists of numbers: look people up by recipient.key, which equals the trigger's sender.key",
		},
		action: 'Normalize a recipient',
		description:
			'Read a phone number, name or ID of a list as it would be sent to. Gives recipient.identifier, recipient.key and recipient.problem.',
	},
	fields: fieldsOf('message', 'normalizeRecipient', [
		{
			...recipientField,
			builderHint: { propertyHint: "The cell of a list, e.g. expr('{{ $json.phone }}')" },
			description: 'The phone number with its country code, or the name or ID, to read',
		},
	]),
	async executeAll(context) {
		const items = context.getInputData();
		const read = items.map((_item, index) => readRecipientField(context, index));
		addUnclearHint(
			context,
			read.map((given, index) => [index, String(given)]),
		);
		return items.map(({ json, binary }, index) => ({
			json: { ...json, recipient: normalized(read[index] ?? '') },
			...(binary ? { binary } : {}),
			pairedItem: { item: index },
		}));
	},
};

function normalized(given: string | number) {
	const { identifier } = readRecipient(given);
	const problem = problemIn(given);
	return {
		identifier,
		key: keyOf(identifier),
		...(problem ? { problem: `It ${problem.what}. ${problem.todo}` } : {}),
	};
}
