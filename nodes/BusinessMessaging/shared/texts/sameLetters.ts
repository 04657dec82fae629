/** Letters that are one to Unicode, as a test compares, or that people type for each other. */
const PAIRS =
	'æae ðd ħh œoe ƍzw ƾts ȸdb ȹqp ʣdz ʦts ʪls ʫlz ᵹg ᵺth ỻll ꜩtz ꜳaa ꜵao ꜷau ꜹav ꜻav ꜽay ꝏoo ꝛr ꝡvy ꝺd ꝼf ꞃr ꞅs ꞇt ꞛa ꞝo ꞟu ꞡg ꞣk ꞥn ꞧr ꞩs ꟁa ꟃw ꟙs 𐞀aa يی ىی كک ةه ँं ൎര് ൔമ് ൕയ് ൖഴ് ൺണ് ൻന് ർര് ൽല് ൾള് ൿക് ぁあ ぃい ぅう ぇえ ぉお っつ ゃや ゅゆ ょよ ゎわ ゕか ゖけ ㇰく ㇱし ㇲす ㇳと ㇴぬ ㇵは ㇶひ ㇷふ ㇸへ ㇹほ ㇺむ ㇻら ㇼり ㇽる ㇾれ ㇿろ 𛄲こ 𛅐ゐ 𛅑ゑ 𛅒を 𛅕こ 𛅤ゐ 𛅥ゑ 𛅦を 𛅧ん';
const SAME = new Map(
	PAIRS.split(' ')
		.map((pair) => Array.from(pair))
		.map(([letter, ...others]) => [letter, others.join('')]),
);

/** With one letter for all that are the same. @param decomposed by NFKD */
export const alike = (decomposed: string): string =>
	decomposed
		.toLowerCase()
		.replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
		.replace(/./gsu, (letter) => SAME.get(letter) ?? letter)
		.replace(/l·(?=\p{L})/gu, 'l');

/** Also without the hamzas and maddas of Arabic. */
export const withoutHamza = (decomposed: string): string =>
	alike(decomposed).replace(/[\u0653-\u0655]+/gu, '');
