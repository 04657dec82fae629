import { sendOperation } from './batch/sendOperation';
import { OWN, templateFields } from './template/templateFields';
import { readTemplate } from './template/read';

export const sendTemplate = sendOperation({
	name: 'Send Template',
	value: 'sendTemplate',
	action: 'Send template',
	description: 'Send an approved template, which reaches a customer at any time',
	names: 'templates',
	notice:
		'A template that the chat application approved reaches customers at any time, even after 24 hours.',
	isTemplate: true,
	fields: templateFields(OWN),
	read: async (context, index, client, channelId) =>
		(await readTemplate({ context, index, client, channelId }, OWN)).leaves,
});
