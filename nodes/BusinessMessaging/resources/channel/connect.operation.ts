import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectChannel, disconnectChannel } from '../../service/channels';
import { ID_FORM, ID_PATTERN, isSameId } from '../../service/contract';
import { requireAllDigits } from '../../shared/texts/numbers';
import { isPlainObject } from '../../service/parseJson';
import {
	channelField,
	choiceField,
	jsonField,
	switchField,
	textField,
} from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { parsedOf, readId, readRequired, readText } from '../../shared/node/parameters';

/** With the names that the SDK's object has, so that its values find their fields. */
const WABA_LABEL = 'Business Account ID (wabaId)';
const PHONE_LABEL = 'Phone Number ID (phoneId)';

const byFields = { show: { connectionData: ['fields'] } };
const byObject = { show: { connectionData: ['object'] } };

const fields: INodeProperties[] = [
	choiceField('Connection Data', 'connectionData', {
		default: 'object',
		description: "The form of the connection SDK's result",
		options: {
			object: [
				'As the Object From the SDK',
				'The result of the SDK, as your page sent it, for every type of channel',
			],
			fields: [
				'As Separate Fields',
				'A field for each value, for a channel with a business phone number',
			],
		},
	}),
	{
		...channelField,
		description: 'The channel to connect, made with the operation Create',
		displayOptions: byFields,
	},
	textField(WABA_LABEL, 'wabaId', {
		required: true,
		placeholder: 'e.g. 102290129340398',
		displayOptions: byFields,
		description: 'ID of the business account that the customer chose',
	}),
	textField(PHONE_LABEL, 'phoneId', {
		required: true,
		placeholder: 'e.g. 106540352242922',
		displayOptions: byFields,
		description: 'ID of the phone number that the customer chose',
	}),
	textField('Code', 'code', {
		required: true,
		placeholder: 'e.g. AQDf83kzB2',
		displayOptions: byFields,
		description:
			'Authorization code of the chat application. It works once, and only for a short time.',
	}),
	switchField('Coexistence', 'coexistence', {
		default: false,
		displayOptions: byFields,
		description: 'Whether the number stays in use in the chat application on a phone',
	}),
	jsonField('SDK Object', 'sdkObject', {
		default: '={{ $json.body }}',
		displayOptions: byObject,
		description: 'The object that the connection SDK returned. It goes to the service as it is.',
	}),
	{
		...channelField,
		required: false,
		description: 'The channel to connect. Leave it empty if the object has a channelId.',
		displayOptions: byObject,
	},
];

/** Forms and expressions may return a text. A wrong guess would use up the code. */
function readBoolean(value: unknown): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new Error('"Coexistence" is neither true nor false.');
}

const MAP_IT = 'Map the object that your page sent, e.g. {{ $json.body }}.';

/** The channel of the SDK's object, or of the field: not every page passes it on. */
function readChannelOfObject(
	context: IExecuteFunctions,
	{ channelId: given }: IDataObject,
	itemIndex: number,
): string {
	const inObject = typeof given === 'string' ? given.trim() : given;
	const inField = readText(context, 'channelId', itemIndex);
	if (inObject === undefined || inObject === null || inObject === '') {
		if (!inField)
			throw new Error('"SDK Object" lacks "channelId". Choose the channel in "Channel".');
		return readId(context, 'channelId', 'Channel', itemIndex);
	}
	if (typeof inObject !== 'string' || !ID_PATTERN.test(inObject))
		throw new Error(
			`"channelId" in "SDK Object" is not an ID of the service. An ID has ${ID_FORM}.`,
		);
	if (inField && !isSameId(inField, inObject))
		throw new Error(
			'"Channel" and "channelId" in "SDK Object" are different channels. Leave "Channel" empty to connect the one in the object.',
		);
	return inObject;
}

/** Characters of the object as JSON. Codes and tokens have a few thousand. */
const OBJECT_MAX = 16_384;
/** Characters of a value. */
const VALUE_MAX = 8192;
/** Values of the object, and its levels. Known ones have seven in one or two. */
const VALUES_MAX = 100;
const DEPTH_MAX = 20;

/** @throws Error that names the field */
function requireShort(value: string, label: string): string {
	if (value.length <= VALUE_MAX) return value;
	throw new Error(
		`${label} has more than ${VALUE_MAX} characters, so it is not what the connection SDK returned.`,
	);
}

/** @throws Error if it has too many values, or too long ones */
function requireFewShort(data: object): void {
	let level: unknown[] = Object.values(data);
	let values = 0;
	for (let depth = 1; level.length > 0; depth++) {
		values += level.length;
		if (values > VALUES_MAX || depth > DEPTH_MAX)
			throw new Error(
				`"SDK Object" has more than ${depth > DEPTH_MAX ? `${DEPTH_MAX} levels` : `${VALUES_MAX} values`}, so it is not what the connection SDK returned. ${MAP_IT}`,
			);
		for (const value of level)
			if (typeof value === 'string') requireShort(value, 'A value of "SDK Object"');
		level = level.flatMap((value): unknown[] =>
			typeof value === 'object' && value !== null ? Object.values(value) : [],
		);
	}
}

/** The SDK's object, as it is: its fields depend on the channel's type, which the service knows. */
function readSdkObject(context: IExecuteFunctions, itemIndex: number) {
	const given: unknown = context.getNodeParameter('sdkObject', itemIndex);
	const data = parsedOf(given, 'SDK Object', MAP_IT);
	if (!isPlainObject(data)) throw new Error(`"SDK Object" is not an object. ${MAP_IT}`);
	if (Object.keys(data).length === 0) throw new Error(`"SDK Object" is empty. ${MAP_IT}`);
	if (JSON.stringify(data).length > OBJECT_MAX)
		throw new Error(
			`"SDK Object" has more than ${OBJECT_MAX} characters, so it is not what the connection SDK returned. ${MAP_IT}`,
		);
	requireFewShort(data);
	requireAllDigits(data, '"SDK Object"');
	// A form gives texts.
	if (data.success === false || data.success === 'false')
		throw new Error(
			'The connection SDK reported that the customer did not complete the connection (success is false).',
		);
	return { channelId: readChannelOfObject(context, data, itemIndex), data };
}

function readFields(context: IExecuteFunctions, itemIndex: number) {
	const readValue = (name: string, label: string) =>
		requireShort(readRequired(context, name, label, itemIndex), `"${label}"`);
	return {
		channelId: readId(context, 'channelId', 'Channel', itemIndex),
		data: {
			wabaId: readValue('wabaId', WABA_LABEL),
			phoneId: readValue('phoneId', PHONE_LABEL),
			code: readValue('code', 'Code'),
			coexistence: readBoolean(context.getNodeParameter('coexistence', itemIndex, false)),
		},
	};
}

export const connect: ItemOperation = {
	name: 'Connect',
	value: 'connect',
	action: 'Connect channel',
	description: 'Complete the connection of a channel, with what the connection SDK returned',
	fields,
	async executeItem(context, client, itemIndex) {
		const asObject = context.getNodeParameter('connectionData', itemIndex, 'object') === 'object';
		const { channelId, data } = asObject
			? readSdkObject(context, itemIndex)
			: readFields(context, itemIndex);
		await connectChannel(client, channelId, data);
		return { success: true, channelId };
	},
};

export const disconnect: ItemOperation = {
	name: 'Disconnect',
	value: 'disconnect',
	action: 'Disconnect channel',
	description: 'Disconnect a channel. It cannot send or receive until you connect it again.',
	fields: [{ ...channelField, description: 'The channel to disconnect' }],
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		await disconnectChannel(client, channelId);
		return { success: true, channelId };
	},
};
