import { buttonFields } from './content/buttonFields';
import { readActionButtons, readReplyButtons } from './content/buttons';
import { checkLength } from './content/checkLength';
import { sendOperation } from './sendOperation';

export const sendButtons = sendOperation({
	option: {
		name: 'Send Buttons',
		value: 'sendButtons',
		action: 'Send message with buttons',
		description:
			'Send a text with buttons: quick replies to tap, or buttons that open a link or call a number',
	},
	names: 'messages with buttons',
	fields: buttonFields,
	read: (context, index) => {
		const content =
			context.getNodeParameter('buttonType', index, 'reply') === 'action'
				? readActionButtons(context, index)
				: readReplyButtons(context, index);
		checkLength(content, '"Text"');
		return { content };
	},
});
