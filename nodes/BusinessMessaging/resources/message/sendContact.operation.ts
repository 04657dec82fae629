import { identifierOf } from '../../service/recipient';
import { textField } from '../../shared/node/fields';
import { readEntries, readRequired, requireRecipient } from '../../shared/node/parameters';
import { sendOperation } from './batch/sendOperation';

export const sendContact = sendOperation({
	name: 'Send Contact',
	value: 'sendContact',
	action: 'Send contact',
	description: 'Send the name and phone numbers of a person',
	names: 'contacts',
	fields: [
		textField('Contact Name', 'contactName', {
			required: true,
			placeholder: 'e.g. Bo Example',
			description: 'The name of the contact in the chat',
		}),
		textField('Contact Phones', 'contactPhones', {
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Phone' },
			default: [],
			required: true,
			placeholder: 'e.g. 5511988880000',
			description: 'The phone numbers of the contact, each with its country code',
		}),
	],
	read: (context, index) => {
		const name = readRequired(context, 'contactName', 'Contact Name', index);
		const phones = readEntries(context, 'contactPhones', 'Contact Phones', index)
			.flatMap((entry): Array<string | number> =>
				typeof entry === 'number' ? [entry] : linesOf(entry),
			)
			.map((phone, at) => identifierOf(requireRecipient(phone, `Phone ${at + 1} of the contact`)));
		if (phones.length === 0)
			throw new Error('"Contact Phones" is empty. Add at least one phone number.');
		return { content: { type: 'CONTACT', attachments: [{ name, phones }] } };
	},
});

/** A person can enter several in one field, a line each. */
const linesOf = (text: string): string[] =>
	text.split(/\r?\n/).filter((line) => line.trim() !== '');
