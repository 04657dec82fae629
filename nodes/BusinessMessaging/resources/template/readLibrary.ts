import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { TemplateDefinition } from '../../service/contract';
import { cutText } from '../../service/cutText';
import { checkAddress, phoneOf } from '../../service/template/buttonRules';
import { placeholdersIn } from '../../service/template/placeholders';
import { parseHttpUrl, readRequired, wordsOf } from '../../shared/node/parameters';
import { numbersIn, toNumber } from '../../shared/texts/numbers';
import { asPlainObject, isPlainObject } from '../../service/parseJson';
import { exampleOfUrl, oneOf, withoutVariables } from './componentsOfFields';
import { readTemplateJson, readTemplateRows } from './readTemplateText';
import { buttonUrlField, phoneField } from './buttonFields';
import {
	textField,
	numberField,
	choiceField,
	jsonField,
	locator,
	switchField,
	collectionField,
	rowsField,
} from '../../shared/node/fields';

/** A template of the library with what it asks for: as JSON, or else by the fields. */
export function readLibrary(context: IExecuteFunctions, index: number): TemplateDefinition {
	const inputs = readTemplateJson(context, 'libraryInputs', 'Library Inputs', index) ?? {};
	if (!isPlainObject(inputs))
		throw new Error(
			'"Library Inputs" is no object. Enter a JSON object, e.g. {"library_template_button_inputs": […]}.',
		);
	const { library_template_body_inputs: givenBody, library_template_button_inputs: given } = inputs;
	const body = givenBody ?? readBodyOptions(context, index);
	const buttons = given ? asList(given).map(mended) : readButtons(context, index);
	return {
		library_template_name: readRequired(context, 'libraryTemplate', 'Library Template', index),
		...(asList(body).length === 0 ? {} : { library_template_body_inputs: asList(body) }),
		...(buttons.length === 0 ? {} : { library_template_button_inputs: buttons }),
	};
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function readBodyOptions(context: IExecuteFunctions, index: number): IDataObject[] {
	const given = asPlainObject(context.getNodeParameter('libraryBody', index, {}));
	const read = numbersIn(context, 'libraryBody', given);
	const entries = bodyFields.flatMap(({ name }) => {
		const isTime = name === 'codeExpirationMinutes';
		const value = isTime ? read(name, MINUTES) : given[name];
		if (value === undefined) return [];
		return [[inputOf(name), isTime ? minutesOf(value) : value === true] as const];
	});
	return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

/** As the service calls it: `add_contact_number` of `addContactNumber`. */
const inputOf = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const MINUTES = '"Code Expiration (Minutes)"';

function minutesOf(value: unknown): number {
	const minutes = toNumber(value);
	if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 90) return minutes;
	throw new Error(`${MINUTES} must be a whole number from 1 to 90.`);
}

const readButtons = (context: IExecuteFunctions, index: number): IDataObject[] =>
	readTemplateRows(context, 'libraryButtons.values', 'url', index).map((row, at) =>
		buttonOf(row, `Button ${at + 1} of "Library Buttons"`),
	);

const TYPES = ['url', 'phone', 'voiceCall'] as const;

function buttonOf(row: IDataObject, place: string): IDataObject {
	switch (oneOf(TYPES, row.type ?? 'url', `"Type" of ${place}`)) {
		case 'voiceCall':
			return { type: 'VOICE_CALL' };
		case 'phone':
			return { type: 'PHONE_NUMBER', phone_number: phoneOf(row.phone, place) };
		case 'url': {
			const url = wordsOf(row.url, `"URL" of ${place}`).trim();
			const example = wordsOf(row.urlExample, `"URL Example" of ${place}`).trim();
			return { type: 'URL', url: addressOf(url, example, place) };
		}
	}
}

/** An address in the service's form. Its example is the whole address. */
function addressOf(url: string, example: string, place: string): IDataObject {
	parseHttpUrl(withoutVariables(url), `"URL" of ${place}`);
	checkAddress(url, place);
	if (placeholdersIn(url).length === 0) return { base_url: url };
	const whole = exampleOfUrl(url, example);
	if (whole) return { base_url: url, url_suffix_example: whole };
	throw new Error(
		`${place} has no example for the variable of "${cutText(url, 64)}". Enter it in "URL Example", or as "url_suffix_example".`,
	);
}

/** An entry of the JSON, whose address can be a text, and whose number can have signs. */
function mended(entry: unknown, at: number): unknown {
	if (!isPlainObject(entry)) return entry;
	const place = `Button ${at + 1} of "Library Inputs"`;
	const { url, phone_number: phone } = entry;
	return {
		...entry,
		...(typeof url === 'string' ? { url: addressOf(url, '', place) } : {}),
		...(phone === undefined ? {} : { phone_number: phoneOf(phone, place) }),
	};
}

const displayOptions = { show: { definition: ['library'] } };

/** The options of *Library Body*. */
const bodyFields = [
	switchField('Add Contact Number', 'addContactNumber', {
		description: 'Whether the text names a number to call for questions',
	}),
	switchField('Add Learn More Link', 'addLearnMoreLink', {
		description: 'Whether the text has a link to more information',
	}),
	switchField('Add Security Recommendation', 'addSecurityRecommendation', {
		description: 'Whether the text advises to share the code with nobody',
	}),
	switchField('Add Track Package Link', 'addTrackPackageLink', {
		description: 'Whether the text has a link to follow the package',
	}),
	numberField('Code Expiration (Minutes)', 'codeExpirationMinutes', {
		typeOptions: { minValue: 1, maxValue: 90 },
		default: 10,
		description: 'How long an access code is valid, 1 to 90',
	}),
];

/** A row of *Library Buttons*. */
const libraryButtonFields = [
	choiceField('Type', 'type', {
		options: { url: 'Link', phone: 'Phone', voiceCall: 'Voice Call' },
		default: 'url',
		description: 'What a tap on it does',
	}),
	buttonUrlField,
	textField('URL Example', 'urlExample', {
		placeholder: 'e.g. 1042',
		displayOptions: { show: { type: ['url'] } },
		description: "What stands in place of the URL's variable, if it has one",
	}),
	phoneField,
];

/** A template of the service's library, and what it asks for. */
export const fieldsOfLibrary: INodeProperties[] = [
	{
		...locator(
			'Library Template',
			'libraryTemplate',
			'searchLibraryTemplates',
			'The template of the library. Its category and language must be those above.',
			{ displayName: 'By Name', name: 'name', placeholder: 'e.g. delivery_update_1' },
			'template',
		),
		displayOptions,
	},
	collectionField('Library Body', 'libraryBody', 'Option', bodyFields, {
		displayOptions,
		description: 'What the text says in addition, if the template offers it',
	}),
	rowsField('Library Buttons', 'libraryButtons', 'Button', libraryButtonFields, {
		placeholder: 'Add Button',
		displayOptions,
		description: "What the template's buttons open or call, in their order",
	}),
	jsonField('Library Inputs', 'libraryInputs', {
		default: '{}',
		displayOptions,
		description:
			'The same as JSON, in place of the fields: library_template_body_inputs and library_template_button_inputs',
	}),
];
