import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { connectChannel } from '../../service/channels';
import { ID_FORM, ID_PATTERN, isSameId } from '../../service/contract';
import { isPlainObject } from '../../shared/plainObject';
import { channelField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId, readRequired, readText, textOf } from '../../shared/parameters';

const byFields = { show: { connectionData: ['fields'] } };
const byObject = { show: { connectionData: ['object'] } };

const fields: INodeProperties[] = [
	{
		displayName: 'Connection Data',
		name: 'connectionData',
		type: 'options',
		default: 'fields',
		description:
			'In which form the result of the connection SDK reaches this node: it comes from the web page on which the customer connected the number',
		options: [
			{
				name: 'As Separate Fields',
				value: 'fields',
				description: 'Each value in a field of its own',
			},
			{
				name: 'As the Object From the SDK',
				value: 'object',
				description: 'The whole result of the SDK, as your page sent it',
			},
		],
	},
	{
		...channelField,
		description: 'The channel to connect, made with the operation Create',
		displayOptions: byFields,
	},
	{
		displayName: 'Business Account ID',
		name: 'wabaId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 102290129340398',
		displayOptions: byFields,
		description: 'ID of the business account that the customer chose (wabaId)',
	},
	{
		displayName: 'Phone Number ID',
		name: 'phoneId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 106540352242922',
		displayOptions: byFields,
		description: 'ID of the phone number that the customer chose (phoneId)',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. AQDf83kzB2',
		displayOptions: byFields,
		description:
			'Authorization code of the chat application. It can be used once, and only for a short time.',
	},
	{
		displayName: 'Coexistence',
		name: 'coexistence',
		type: 'boolean',
		default: false,
		displayOptions: byFields,
		description: 'Whether the number stays in use in the chat application on a phone',
	},
	{
		displayName: 'SDK Object',
		name: 'sdkObject',
		type: 'json',
		default: '={{ $json.body }}',
		displayOptions: byObject,
		description:
			'The object with code, wabaId, phoneId and coexistence. It may also have channelId and success.',
	},
	{
		...channelField,
		required: false,
		description:
			'The channel to connect, where the object has no channelId. Where it has one, leave this empty.',
		displayOptions: byObject,
	},
];

/** Forms and expressions also give `true` and `false` as text. The code can be used once, so a guess would cost it. */
function readBoolean(value: unknown, problem: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new Error(problem);
}

/** The channel of the SDK's object, which not every page passes on; else the one of the field. */
function readChannelOfObject(
	context: IExecuteFunctions,
	{ channelId: given }: IDataObject,
	itemIndex: number,
): string {
	const ofObject = typeof given === 'string' ? given.trim() : given;
	const ofField = readText(context, 'channelId', itemIndex);
	if (ofObject === undefined || ofObject === null || ofObject === '') {
		if (!ofField)
			throw new Error(
				'"SDK Object" lacks "channelId", and "Channel" is empty. Choose the channel there, or pass the object on with its channelId.',
			);
		return readId(context, 'channelId', 'Channel', itemIndex);
	}
	if (typeof ofObject !== 'string' || !ID_PATTERN.test(ofObject))
		throw new Error(
			`"channelId" in "SDK Object" is not an ID of the service. An ID has ${ID_FORM}.`,
		);
	if (ofField && !isSameId(ofField, ofObject))
		throw new Error(
			'"Channel" is another channel than "channelId" in "SDK Object". Nothing was sent to the service. Leave "Channel" empty to connect the one of the object.',
		);
	return ofObject;
}

/** Reads the object of the connection SDK (published: code, wabaId, phoneId and coexistence; in one place also success and channelId). */
function readSdkObject(context: IExecuteFunctions, itemIndex: number) {
	const given: unknown = context.getNodeParameter('sdkObject', itemIndex);
	const notJson =
		'"SDK Object" is not valid JSON. Map the object that your page sent, e.g. {{ $json.body }}.';
	const object: unknown =
		typeof given === 'string' ? jsonParse(given, { errorMessage: notJson }) : given;
	if (!isPlainObject(object)) {
		throw new Error(
			'"SDK Object" is not an object. Map the object that your page sent, e.g. {{ $json.body }}.',
		);
	}
	if (object.success === false)
		throw new Error(
			'The connection SDK reported that the customer did not complete the connection (success is false). Nothing was sent to the service.',
		);
	const text = (name: string) => {
		const value = textOf(object[name]).trim();
		if (value) return value;
		throw new Error(
			`"SDK Object" lacks "${name}". Pass the object on exactly as the connection SDK returned it.`,
		);
	};
	const coexistence = readBoolean(
		object.coexistence,
		'"SDK Object" lacks "coexistence", which is true or false. Pass the object on exactly as the connection SDK returned it.',
	);
	return {
		channelId: readChannelOfObject(context, object, itemIndex),
		wabaId: text('wabaId'),
		phoneId: text('phoneId'),
		code: text('code'),
		coexistence,
	};
}

function readFields(context: IExecuteFunctions, itemIndex: number) {
	return {
		channelId: readId(context, 'channelId', 'Channel', itemIndex),
		wabaId: readRequired(context, 'wabaId', 'Business Account ID', itemIndex),
		phoneId: readRequired(context, 'phoneId', 'Phone Number ID', itemIndex),
		code: readRequired(context, 'code', 'Code', itemIndex),
		coexistence: readBoolean(
			context.getNodeParameter('coexistence', itemIndex, false),
			'"Coexistence" is neither true nor false.',
		),
	};
}

export const connect: ItemOperation = {
	option: {
		name: 'Connect',
		value: 'connect',
		action: 'Connect channel',
		description: 'Complete the connection of a channel to a business phone number',
	},
	fields: fieldsOf('channel', 'connect', fields),
	async executeItem(context, client, itemIndex) {
		const asObject = context.getNodeParameter('connectionData', itemIndex, 'fields') === 'object';
		const { channelId, ...data } = asObject
			? readSdkObject(context, itemIndex)
			: readFields(context, itemIndex);
		await connectChannel(client, channelId, data);
		return { success: true, channelId };
	},
};
