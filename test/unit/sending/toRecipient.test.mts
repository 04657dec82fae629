import { toRecipient } from '../../../nodes/BusinessMessaging/sending/toRecipient.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import { failure } from './fakeService.mts';

test('an error says for whom the message was', () => {
	const error = toRecipient(failure('rejected', 'none'), '5511900000001');
	expect(error).toBeInstanceOf(ServiceError);
	expect(error.message).toBe('Could not send the text to 5511900000001: rejected');
	expect(error).toMatchObject({ reason: 'rejected', hint: '' });
	const plain = new TypeError('no such file');
	expect(toRecipient(plain, '5511900000001')).toBe(plain);
	expect(plain.message).toBe('To 5511900000001: no such file');
});

test('a recipient without a digit is asked about, and of a long one only the beginning is quoted', () => {
	expect(toRecipient(failure('rejected', 'none'), 'Ana')).toMatchObject({
		hint: ' "Ana" holds no digit: is the recipient in sender.identifier?',
	});
	const { message } = toRecipient(failure('rejected', 'none'), '1'.repeat(65));
	expect(message).toBe(`Could not send the text to ${'1'.repeat(64)}: rejected`);
});

test('where nobody is known, the error is given as it is', () => {
	for (const recipient of [undefined, '']) {
		const error = failure('rejected', 'none');
		expect(toRecipient(error, recipient)).toBe(error);
	}
});
