import { judgeReachability, problemOfReach } from '#nodes/shared/node/reachability.ts';

const remote = 'https://api.messaging.example';
const verdict = (receiver: string, service = remote) =>
	judgeReachability(`${receiver}/webhook/1/webhook`, service).verdict;

it.each([
	'http://localhost:5678',
	'http://n8n.localhost',
	'http://127.0.0.1:5678',
	'http://[::1]:5678',
	'http://[::ffff:127.0.0.1]:5678',
	'http://localhost.:5678',
	'http://[::ffff:0.0.0.0]:5678',
])('refuses %s for a remote service', (receiver) => {
	expect(verdict(receiver)).toBe('unreachable');
});

it.each(['http://172.32.0.1', 'http://n8n.example.com'])(
	'doubts the unencrypted %s',
	(receiver) => {
		expect(judgeReachability(`${receiver}/webhook`, remote)).toMatchObject({
			verdict: 'doubtful',
			problem: expect.stringContaining('is not encrypted'),
		});
	},
);

it('accepts private addresses for a service in a private network', () => {
	expect(verdict('http://192.168.1.2:5678', 'http://192.168.1.3')).toBe('fine');
	expect(verdict('http://n8n:5678', 'http://sandbox:4010')).toBe('fine');
	expect(verdict('http://localhost:5678', 'http://sandbox:4010')).toBe('unreachable');
});

it.each([
	'10.255.255.255',
	'172.16.0.0',
	'172.31.255.255',
	'192.168.0.0',
	'169.254.255.255',
	'100.64.0.0',
	'100.127.255.255',
	'[::ffff:10.0.0.1]',
	'[fc00::1]',
	'[febf::1]',
	'n8n:5678',
	'n8n.internal',
	'n8n.lan',
	'n8n.home.arpa',
	'N8N.LOCAL.',
])('reads %s as an address of a private network', (host) => {
	expect(judgeReachability(`https://${host}/webhook`, remote)).toMatchObject({
		verdict: 'doubtful',
		problem: expect.stringContaining('only from the same private network'),
	});
});

it.each([
	'9.0.0.1',
	'172.15.0.1',
	'172.32.0.1',
	'192.167.0.1',
	'192.169.0.1',
	'169.253.0.1',
	'100.63.0.1',
	'100.128.0.1',
	'126.0.0.1',
	'128.0.0.1',
	'[::ffff:8.8.8.8]',
	'[::2]',
	'[fb00::1]',
	'[fec0::1]',
	'[2001:fd00::1]',
	'[2001:db8::1]',
	'[1::ffff:10.0.0.5]',
	'[::ffff:a00:5:1]',
	'10.0.0.5.example.com',
	'n8n.example.com',
	'notlocalhost.example.com',
	'n8n.homexarpa',
])('reads %s as an address on the internet', (host) => {
	expect(judgeReachability(`https://${host}/webhook`, remote)).toEqual({ verdict: 'fine' });
});

it('says what is doubtful, and what to do', () => {
	const remedy = expect.stringMatching(
		/^Set the environment variable WEBHOOK_URL.*restart n8n, and run the workflow again\.$/,
	);
	const judge = (url: string, service = remote) =>
		judgeReachability(url, service, 'run the workflow again');
	expect(judge('http://localhost/w')).toEqual({
		verdict: 'unreachable',
		problem: 'The service cannot reach http://localhost/w: it is an address of this machine only',
		remedy,
	});
	expect(judge('http://localhost/w', 'http://localhost:4010')).toEqual({
		verdict: 'doubtful',
		problem: expect.stringContaining('works only because the service runs on this machine'),
		remedy,
	});
	expect(judge('http://10.0.0.1/w')).toMatchObject({ remedy });
	expect(judge('http://n8n.example.com/w')).toMatchObject({
		problem: expect.stringContaining("customers' messages can be read on the way"),
		remedy,
	});
	expect(judgeReachability('http://localhost/w', remote)).toMatchObject({
		remedy: expect.stringMatching(/and publish the workflow again\.$/),
	});
});

it("does not warn about an unencrypted address in the service's private network", () => {
	expect(judgeReachability('http://10.0.0.1/w', 'http://10.0.0.2')).toEqual({ verdict: 'fine' });
	expect(verdict('https://n8n.example.com', 'http://localhost:4010')).toBe('fine');
	expect(judgeReachability('http://10.0.0.1/w', 'http://127.0.0.1:1')).toEqual({ verdict: 'fine' });
	expect(problemOfReach('http://127.0.0.1/a.png', 'http://localhost:4010')).toBeUndefined();
});
