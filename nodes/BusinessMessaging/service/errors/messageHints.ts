import { type Content, TEMPLATE_REFUSALS } from '../contract';
import { cutText } from '../cutText';
import { lookAt, NUMBER_FORM } from '../recipient';
import { componentsIn, nameIn, namedTextsOf, parameterTextsOf } from '../sentTemplate';
import type { ServiceError } from './serviceError';

const MISTYPED = 'it may be mistyped.';
const WRONG_NUMBER = 'a number may be mistyped, or lack its country code.';
const NO_COUNTRY = `its country code may be missing. ${NUMBER_FORM}`;
const MAYBE_WRONG =
	'a number may be mistyped or lack its country code, and a reply goes to sender.identifier.';
const CONNECT =
	'Connect the channel with the operation Channel → Connect, or in the dashboard of the service.';
const { unknown, notApproved, parameters } = TEMPLATE_REFUSALS;

/** What to do about a refused template, by the code in the service's message. */
const TEMPLATE_HINTS: ReadonlyArray<readonly [code: number, hint: string]> = [
	[
		unknown.code,
		'Check its name and language, or whether it was deleted. Template → Get Many lists the languages of each template.',
	],
	[
		notApproved.code,
		'It may have been paused, rejected or changed since it was chosen. Template → Get Many shows its status, and Template → Update submits it again.',
	],
	[
		parameters.code,
		'The template takes other variables: choose it again in "Template". By name, "Body Parameters" needs one text for each variable of its body.',
	],
];
const NAMES_WANTED =
	'The template\'s variables have names. Choose it from the list in "Template", so that each value leaves with its variable\'s name.';
const UNNAMED_WANTED =
	'The service does not take the names of these variables. Choose the template again in "Template". Or choose "By Name", and give its texts in "Additional Components", without parameter_name.';
const CHECK_TEMPLATE = 'Check "Template", its language and its variables.';

/** What a message's fields can have to do with the error. */
export function messageHint(
	error: ServiceError,
	{ content, recipient }: { content: Content; recipient: string },
): { hint: string } | undefined {
	const hint = hintFor(error, content, recipient);
	return hint === undefined ? undefined : { hint };
}

function hintFor(
	{ failure: { reason, hint, serviceMessage = '' } }: ServiceError,
	content: Content,
	recipient: string,
): string | undefined {
	const { isNumber, mayLackCountry } = lookAt(recipient);
	const wrongNumber = mayLackCountry ? NO_COUNTRY : WRONG_NUMBER;
	if (reason === 'window_closed' && isNumber)
		return `${hint} If they did write, check the recipient: ${mayLackCountry ? 'its country code may be missing.' : MAYBE_WRONG}`;
	const isRefused = reason === 'invalid_request' || reason === 'rejected';
	if ((isRefused || reason === 'not_found') && /\brecipient\b/i.test(serviceMessage))
		return `Check the recipient: ${isNumber ? wrongNumber : wrongName(recipient, serviceMessage)}`;
	if (!isRefused) return undefined;
	if (/\bnot connected\b/i.test(serviceMessage)) return CONNECT;
	if (content.type !== 'TEMPLATE') return undefined;
	const broken = brokenVariables(content);
	if (broken.length > 0)
		return `${broken.join(', ')} ${broken.length === 1 ? 'has' : 'have'} line breaks, which a variable may not have. Replace them, e.g. with commas.`;
	if (/\bparameter[ _]?names?\b/i.test(serviceMessage))
		return componentsIn(content).some(({ parameters }) => namedTextsOf(parameters).size > 0)
			? UNNAMED_WANTED
			: NAMES_WANTED;
	const known = TEMPLATE_HINTS.find(([code]) => serviceMessage.includes(String(code)));
	const about = nameIn(content) && `About the template ${nameIn(content)}: `;
	return known ? `${about}${known[1]}` : CHECK_TEMPLATE;
}

/** A channel of phone numbers refuses a name in words about numbers. */
const wrongName = (recipient: string, serviceMessage: string): string =>
	/\bphone\b|\bnumber\b|\bdigits\b/i.test(serviceMessage)
		? `"${cutText(recipient, 64)}" is not a phone number, and this channel takes only phone numbers.`
		: MISTYPED;

/** The places of variables with line breaks or tabs: "Body 2". */
const brokenVariables = (content: Content): string[] =>
	componentsIn(content).flatMap(({ type, index, parameters }) =>
		parameterTextsOf(parameters).flatMap((text, at) =>
			text !== undefined && /[\n\r\t]/.test(text) ? nameOfPlace(type, index, at) : [],
		),
	);

function nameOfPlace(type: string, index: unknown, at: number): string {
	const place = type.charAt(0).toUpperCase() + type.slice(1).toLowerCase();
	const number = place === 'Button' ? Number(index) + 1 : at + 1;
	return place === 'Header' ? place : `${place} ${number}`;
}
