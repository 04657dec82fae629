import { languageOf, TEMPLATE_LANGUAGES } from '#nodes/service/template/languages.ts';

/** The code that is sent, or behind a question mark the one that the refusal proposes. */
function read(given: string): string {
	try {
		return languageOf(given);
	} catch (error) {
		const { message } = error as Error;
		expect(message).toMatch(/is no language of templates\. (?:The nearest is \w+|Codes are such)/);
		return `?${/nearest is (\w+)\.$/.exec(message)?.[1] ?? ''}`;
	}
}

test('every code of the list is sent, with any signs and case', () => {
	expect(TEMPLATE_LANGUAGES.length).toBeGreaterThan(100);
	for (const code of TEMPLATE_LANGUAGES)
		for (const given of [code, code.replace('_', '-'), code.toUpperCase(), ` ${code} `])
			expect(read(given)).toBe(code);
});

test('what names a language of the list by its script or country proposes it', () => {
	const others = TEMPLATE_LANGUAGES.flatMap((code) => {
		const { language, script, region } = new Intl.Locale(code.replace('_', '-')).maximize();
		return [`${language}_${region}`, `${language}-${script}-${region}`]
			.map((given) => [code, given, read(given)])
			.filter(([, , found]) => found !== `?${code}` && found !== code);
	});
	// Their language and their country are both in the list.
	expect(others).toEqual([
		['ar', 'ar_EG', 'ar_EG'],
		['ar_EG', 'ar-Arab-EG', '?ar'],
		['en', 'en_US', 'en_US'],
		['en_US', 'en-Latn-US', '?en'],
		['es', 'es_ES', 'es_ES'],
		['es_ES', 'es-Latn-ES', '?es'],
	]);
});

test.each([
	['de_DE', '?de'],
	['nb-NO', '?nb'],
	['bn_BD', '?bn'],
	['fa_AF', '?prs_AF'],
	// Former codes.
	['in', '?id'],
	['iw_IL', '?he'],
	['no', '?nb'],
	['tl', '?fil'],
	['por', '?pt_BR'],
	// Scripts, and countries that the list does not have.
	['zh-Hant', '?zh_TW'],
	['zh-Hans-SG', '?zh_CN'],
	['zh_MO', '?zh_HK'],
	['pt_AO', '?pt_PT'],
	['es-419', '?es'],
	['de_LU', 'de_LU'],
	['ar_SA', 'ar_SA'],
	// Names.
	['Portuguese (BR)', '?pt_BR'],
	['German', '?de'],
	['español', '?es'],
	['Lao', '?lo'],
	['Klingon', '?'],
	['x'.repeat(10_000), '?'],
])('the language %.20s is read as %s', (given, found) => {
	expect(read(given)).toBe(found);
});
