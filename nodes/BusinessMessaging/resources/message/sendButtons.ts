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
	notice:
		"If the channel has a window, you can send buttons only within 24 hours of the customer's last message, and after that a template with Send Template",
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
