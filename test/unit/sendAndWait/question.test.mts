import { isProgram } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/bots.ts';
import {
	seal,
	unseal,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';

const signature = 'a'.repeat(64);

test('a sealed secret opens with the signature that it was sealed with, and with no other', () => {
	const sealed = seal('the secret', signature);
	expect(unseal(sealed, signature)).toBe('the secret');
	expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('the secret');
	expect(seal('the secret', signature)).not.toBe(sealed);
	expect(() => unseal(sealed, 'b'.repeat(64))).toThrow();
	expect(() => unseal(sealed, '')).toThrow('without a signature');
	expect(() => unseal(`${sealed.slice(0, -2)}AA`, signature)).toThrow();
	expect(() => unseal('', signature)).toThrow();
});

test.each([
	'ChatPreview/2.23.20.0',
	'Mozilla/5.0 (compatible; SomeBot/2.1; +https://bot.example)',
	'LinkExpander 1.0',
	'Mozilla/5.0 (Windows NT 6.1; WOW64) ChatUriPreview/0.5',
	'curl/8.5.0',
	'node',
	'',
	undefined,
])('%j is a program', (agent) => expect(isProgram(agent)).toBe(true));

test.each([
	'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [InApp/468.0]',
	'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
	'Opera/9.80 (J2ME/MIDP; Opera Mini/8.0/191; U; en) Presto/2.12.423 Version/12.16',
])('%j is a person', (agent) => expect(isProgram(agent)).toBe(false));
