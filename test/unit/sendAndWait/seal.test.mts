import { seal, unseal } from '#nodes/resources/message/sendAndWait/links.ts';

const signature = 'a'.repeat(64);

test('a sealed secret opens with the signature that sealed it, and with no other', () => {
	const sealed = seal('the secret', signature);
	expect(unseal(sealed, signature)).toBe('the secret');
	expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('the secret');
	expect(seal('the secret', signature)).not.toBe(sealed);
	expect(() => unseal(sealed, 'b'.repeat(64))).toThrow();
	expect(() => unseal(sealed, '')).toThrow('without a signature');
	expect(() => unseal(`${sealed.slice(0, -2)}AA`, signature)).toThrow();
	expect(() => unseal('', signature)).toThrow();
});
