/**
 * Letters that are the same words: those that are one to Unicode's order, as a test compares, and
 * those that people type for each other.
 */

/** Each with what stands for it. */
const LETTERS =
	'æae ðd ħh œoe ƍzw ƾts ȸdb ȹqp ʣdz ʦts ʪls ʫlz ᵹg ᵺth ỻll ꜩtz ꜳaa ꜵao ꜷau ꜹav ꜻav ꜽay ꝏoo ꝛr ꝡvy ꝺd ꝼf ꞃr ꞅs ꞇt ꞛa ꞝo ꞟu ꞡg ꞣk ꞥn ꞧr ꞩs ꟁa ꟃw ꟙs 𐞀aa يی ىی كک ةه ँं ൎര് ൔമ് ൕയ് ൖഴ് ൺണ് ൻന് ർര് ൽല് ൾള് ൿക്';

/** Small kana, and the large ones. */
const SMALL = 'ぁぃぅぇぉっゃゅょゎゕゖㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ𛄲𛅐𛅑𛅒𛅕𛅤𛅥𛅦𛅧';
const LARGE = 'あいうえおつやゆよわかけくしすとぬはひふへほむらりるれろこゐゑをこゐゑをん';

const SAME = new Map([
	...LETTERS.split(' ').map((pair): [string, string] => {
		const [letter = '', ...others] = Array.from(pair);
		return [letter, others.join('')];
	}),
	...Array.from(SMALL, (letter, index): [string, string] => [letter, LARGE.charAt(index)]),
]);

/** With one letter for all that are the same. @param decomposed by NFKD */
export const alike = (decomposed: string): string =>
	Array.from(
		decomposed
			.toLowerCase()
			.replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60)),
		(letter) => SAME.get(letter) ?? letter,
	)
		.join('')
		.replace(/l·(?=\p{L})/gu, 'l');

/** Also without the hamzas and maddas of Arabic. */
export const withoutHamza = (decomposed: string): string =>
	alike(decomposed).replace(/[\u0653-\u0655]+/gu, '');
