import { judgeReachability } from '../../../nodes/BusinessMessaging/trigger/reachability.ts';

const remote = 'https://api.messaging.example';
const verdict = (receiver: string, service = remote) => judgeReachability(`${receiver}/webhook/1/webhook`, service).verdict;

it.each([
	'http://localhost:5678',
	'https://localhost',
	'http://n8n.localhost',
	'http://127.0.0.1:5678',
	'http://127.8.9.1',
	'http://0.0.0.0:5678',
	'http://[::1]:5678',
	'http://[::ffff:127.0.0.1]:5678',
	'http://localhost.:5678',
])('refuses %s for a remote service', (receiver) => {
	expect(verdict(receiver)).toBe('unreachable');
});

it.each(['http://10.0.0.5', 'http://172.16.0.1', 'http://192.168.1.2:5678', 'http://169.254.1.1', 'http://100.64.0.1', 'http://[fd00::1]', 'http://[fe80::1]', 'http://n8n:5678', 'https://n8n.local', 'https://n8n.internal'])(
	'doubts %s for a service on the internet',
	(receiver) => {
		expect(verdict(receiver)).toBe('doubtful');
	},
);

it.each(['http://172.32.0.1', 'http://n8n.example.com'])('doubts the unencrypted %s', (receiver) => {
	expect(judgeReachability(`${receiver}/webhook`, remote)).toMatchObject({ verdict: 'doubtful', problem: expect.stringContaining('is not encrypted') });
});

it('finds an encrypted public address fine', () => {
	expect(verdict('https://n8n.example.com')).toBe('fine');
});

it('finds private addresses fine for a service in a private network', () => {
	expect(verdict('http://192.168.1.2:5678', 'http://192.168.1.3')).toBe('fine');
	expect(verdict('http://n8n:5678', 'http://sandbox:4010')).toBe('fine');
	expect(verdict('http://localhost:5678', 'http://sandbox:4010')).toBe('unreachable');
});

it('allows everything for a service on this machine, and says that it works only there', () => {
	expect(verdict('http://localhost:5678', 'http://127.0.0.1:4010')).toBe('doubtful');
	expect(verdict('https://n8n.example.com', 'http://localhost:4010')).toBe('fine');
});

it('names the URL and the variable to set', () => {
	expect(judgeReachability('http://localhost:5678/webhook/1/webhook', remote)).toEqual({
		verdict: 'unreachable',
		problem: 'The service cannot reach http://localhost:5678/webhook/1/webhook: it is an address of this machine only',
		remedy: expect.stringContaining('WEBHOOK_URL'),
	});
});
