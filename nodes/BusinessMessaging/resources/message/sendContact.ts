import { readList, readRequired } from '../../shared/parameters';
import { sendingOperation } from './sending';

export const sendContact = sendingOperation({
	option: {
		name: 'Send Contact',
		value: 'sendContact',
		action: 'Send contact',
		description: 'Send the name and phone numbers of somebody, e.g. of a colleague who takes over',
	},
	names: 'contacts',
	notice:
		"A contact can be sent only within 24 hours of the customer's last message: later, use Send Template",
	fields: [
		{
			displayName: 'Contact Name',
			name: 'contactName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Bo Example',
			description: 'The name that the contact is shown with',
		},
		{
			displayName: 'Contact Phones',
			name: 'contactPhones',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Phone' },
			default: [],
			required: true,
			placeholder: 'e.g. 5511988880000',
			description: 'The phone numbers of the contact, each with its country code',
		},
	],
	read: (context, index) => {
		const name = readRequired(context, 'contactName', 'Contact Name', index);
		const phones = readList(context, 'contactPhones', 'Contact Phones', index);
		if (phones.length === 0)
			throw new Error('"Contact Phones" is empty. Add at least one phone number.');
		return { content: { type: 'CONTACT', attachments: [{ name, phones }] } };
	},
});
