import { toRecipient } from '#nodes/resources/message/batch/report.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';
import { failure } from './fakeService.mts';

test('an error names the recipient of the message', () => {
	const error = toRecipient(failure('rejected', 'none'), '5511900000001');
	expect(error).toBeInstanceOf(ServiceError);
	expect(error.message).toBe('Could not send the text to 5511900000001: rejected');
	expect(error).toMatchObject({ reason: 'rejected', hint: '' });
	const plain = new TypeError('no such file');
	expect(toRecipient(plain, '5511900000001')).toBe(plain);
	expect(plain.message).toBe('To 5511900000001: no such file');
});

test('suggests another field for a name, and quotes only the beginning of a long recipient', () => {
	for (const name of ['Ana', 'Ana Example']) {
		expect(toRecipient(failure('rejected', 'none'), name)).toMatchObject({
			hint: ` "${name}" looks like a name. Is the recipient in sender.identifier?`,
		});
	}
	for (const identifier of ['@store', 'ana@shop.example', 'user_x-Y', '7f3a', '+55 11 98765-0000'])
		expect(toRecipient(failure('rejected', 'none'), identifier)).toMatchObject({ hint: '' });
	const { message } = toRecipient(failure('rejected', 'none'), '1'.repeat(65));
	expect(message).toBe(`Could not send the text to ${'1'.repeat(64)}: rejected`);
});

test('an error stays unchanged if the recipient is unknown', () => {
	for (const recipient of [undefined, '']) {
		const error = failure('rejected', 'none');
		expect(toRecipient(error, recipient)).toBe(error);
	}
});
