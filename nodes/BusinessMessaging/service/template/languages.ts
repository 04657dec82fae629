import { cutText } from '../cutText';

/** The languages of templates, by their codes. Source: a published list of the chat application. */
export const TEMPLATE_LANGUAGES: readonly string[] = [
	...['af', 'sq', 'ar', 'ar_AE', 'ar_EG', 'ar_LB', 'ar_MA', 'ar_QA', 'az', 'be_BY', 'bg', 'bn'],
	...['bn_IN', 'ca', 'cs', 'da', 'de', 'de_AT', 'de_CH', 'el', 'en', 'en_US', 'en_GB', 'en_AE'],
	...['en_AU', 'en_CA', 'en_GH', 'en_IE', 'en_IN', 'en_JM', 'en_MY', 'en_NZ', 'en_QA', 'en_SG'],
	...['en_UG', 'en_ZA', 'es', 'es_ES', 'es_AR', 'es_CL', 'es_CO', 'es_CR', 'es_DO', 'es_EC'],
	...['es_HN', 'es_MX', 'es_PA', 'es_PE', 'es_UY', 'et', 'fa', 'fi', 'fil', 'fr', 'fr_BE'],
	...['fr_CA', 'fr_CH', 'fr_CI', 'fr_MA', 'ga', 'gu', 'ha', 'he', 'hi', 'hr', 'hu', 'id', 'it'],
	...['ja', 'ka', 'kk', 'kn', 'ko', 'ky_KG', 'lo', 'lt', 'lv', 'mk', 'ml', 'mr', 'ms', 'nb'],
	...['nl', 'nl_BE', 'pa', 'pl', 'prs_AF', 'ps_AF', 'pt_BR', 'pt_PT', 'ro', 'ru', 'rw_RW'],
	...['si_LK', 'sk', 'sl', 'sr', 'sv', 'sw', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi'],
	...['zh_CN', 'zh_HK', 'zh_TW', 'zu'],
];

/** A language's code, with mended signs and case. @throws Error that proposes the nearest */
export function languageOf(given: string): string {
	const written = cutText(given.trim(), 64).replace(/[-\s]/g, '_').toLowerCase();
	const known = TEMPLATE_LANGUAGES.find((code) => code.toLowerCase() === written);
	if (known !== undefined) return known;
	const locale = localeOf(written);
	const [, language = '', country = ''] = /^([a-z]{2,3})_([a-z]{2})$/.exec(written) ?? [];
	const same = TEMPLATE_LANGUAGES.some((code) => localeOf(code)?.toString() === locale?.toString());
	// The list can have grown since by a country, but by none that is in it under another code.
	if (TEMPLATE_LANGUAGES.includes(language) && !same) return `${language}_${country.toUpperCase()}`;
	const nearest = (locale && nearestOf(locale)) ?? nearestTo(written, locale);
	const todo =
		nearest === undefined ? 'Codes are such as en_US or pt_BR.' : `The nearest is ${nearest}.`;
	throw new Error(
		`"Language" is "${cutText(given, 64)}", which is no language of templates. ${todo}`,
	);
}

/** The language, script and country that a code means. Undefined for a text that is no code. */
function localeOf(code: string): Intl.Locale | undefined {
	try {
		return new Intl.Locale(code.replaceAll('_', '-')).maximize();
	} catch {
		return undefined;
	}
}

/** The code of a language that is nearest by its script, then by its country. */
function nearestOf({ language, script, region }: Intl.Locale): string | undefined {
	const usual = localeOf(`${language}-${script}`)?.region;
	const nearness = (code: string): number => {
		const own = localeOf(code);
		if (own?.language !== language) return 0;
		// Countries other than the usual one write alike: Angola like Portugal, Macao like Hong Kong.
		const byCountry = own.region === usual ? 0 : 1;
		const byRegion = own.region === region ? 3 : code.includes('_') ? byCountry : 2;
		return 1 + byRegion + (own.script === script ? 4 : 0);
	};
	return TEMPLATE_LANGUAGES.filter((code) => nearness(code) > 0).sort(
		(one, other) => nearness(other) - nearness(one),
	)[0];
}

/** The code that shares most words with a text, or with the name of the locale that it means. */
function nearestTo(written: string, locale: Intl.Locale | undefined): string | undefined {
	const words = wordsIn(`${written} ${locale ? nameOf(locale.language, 'en') : ''}`);
	const sharedWith = (code: string) => {
		const own = new Set(wordsIn(`${code} ${nameOf(code, 'en')} ${nameOf(code, code)}`));
		return words.filter((word) => own.has(word)).length;
	};
	const byNearness = TEMPLATE_LANGUAGES.map((code) => ({ code, shared: sharedWith(code) }))
		.filter(({ shared }) => shared > 0)
		// Without a country, the language alone is nearer.
		.sort((one, other) => other.shared - one.shared || one.code.length - other.code.length);
	return byNearness[0]?.code;
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Its name in a language: "Portuguese (Brazil)", or "português (Brasil)". */
const nameOf = (code: string, language: string): string =>
	new Intl.DisplayNames(language.replace('_', '-'), {
		...{ type: 'language', languageDisplay: 'standard' },
	}).of(code.replace('_', '-')) ?? '';
