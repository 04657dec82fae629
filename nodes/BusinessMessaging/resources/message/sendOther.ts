import { readJson } from '../../shared/parameters';
import { isPlainObject } from '../../shared/plainObject';
import { sendingOperation } from './sending';

export const sendOther = sendingOperation({
	option: {
		name: 'Send Other',
		value: 'sendOther',
		builderHint: { propertyHint: 'Only where no other operation fits' },
		action: 'Send message of another kind',
		description:
			'Send a kind of message that has no operation of its own, such as one that the service added since, from its content as JSON',
	},
	names: 'messages',
	notice: "All but templates can be sent only within 24 hours of the customer's last message",
	fields: [
		{
			displayName: 'Content',
			name: 'content',
			type: 'json',
			default: '{\n  "type": "TEXT",\n  "body": { "message": "" }\n}',
			placeholder: 'e.g. {"type": "TEXT", "body": {"message": "Hello!"}}',
			description:
				'The content of the message as the documentation of the service describes it: a JSON object with a "type"',
		},
	],
	read: (context, index) => {
		const content = readJson(context, 'content', 'Content', index);
		if (isPlainObject(content) && typeof content.type === 'string' && content.type.trim())
			return { content: { ...content, type: content.type } };
		throw new Error(
			'"Content" is not a JSON object with a "type". Enter one, e.g. {"type": "TEXT", "body": {"message": "Hello!"}}.',
		);
	},
});
