import { jsonOf } from '../../shared/node/parameters';
import { jsonField } from '../../shared/node/fields';
import { isPlainObject } from '../../service/parseJson';
import { sendOperation } from './batch/sendOperation';

export const sendOther = sendOperation({
	name: 'Send Other',
	value: 'sendOther',
	builderHint: { propertyHint: 'Only if no other operation fits' },
	action: 'Send message of another kind',
	description: 'Send a kind of message that has no operation of its own, from its content as JSON',
	names: 'messages',
	fields: [
		jsonField('Content', 'content', {
			default: '{\n  "type": "TEXT",\n  "body": { "message": "" }\n}',
			placeholder: 'e.g. {"type": "TEXT"}',
			description:
				'The content of the message, as in the documentation of the service: a JSON object with a "type"',
		}),
	],
	read: (context, index) => {
		const content = jsonOf(context.getNodeParameter('content', index, ''), 'Content');
		if (isPlainObject(content) && typeof content.type === 'string' && content.type.trim())
			return { content: { ...content, type: content.type } };
		throw new Error(
			'"Content" is not a JSON object with a "type". Enter one, e.g. {"type": "TEXT", "body": {"message": "Hello!"}}.',
		);
	},
});
