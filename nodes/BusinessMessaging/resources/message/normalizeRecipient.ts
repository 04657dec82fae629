import { toNodeError } from '../../service/errors';
import { problemIn, readRecipient } from '../../service/recipient';
import { recipientField } from '../../shared/fields';
import { addUnclearHint } from '../../shared/hints';
import { failedItem } from '../../shared/items';
import type { BatchOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readRecipientField, textOf } from '../../shared/parameters';
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
		const read: Array<[index: number, given: string]> = [];
		const output = context.getInputData().map(({ json, binary }, index) => {
			try {
				const given = readRecipientField(context, index);
				read.push([index, textOf(given).trim()]);
				return {
					json: { ...json, recipient: normalized(given) },
					...(binary ? { binary } : {}),
					pairedItem: { item: index },
				};
			} catch (error) {
				// Only its expression can fail.
				if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, index);
				return failedItem(error, index);
			}
		});
		addUnclearHint(context, read);
		return output;
	},
};

function normalized(given: unknown) {
	const { identifier } = readRecipient(given);
	const problem = problemIn(given);
	return {
		identifier,
		key: keyOf(identifier),
		...(problem ? { problem: `It ${problem.what}. ${problem.todo}` } : {}),
	};
}
