const element = (id) => document.getElementById(id);

async function call(path, body) {
	const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
	const response = await fetch(`/_sandbox${path}`, init);
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.error);
	return answer;
}

async function show() {
	const query = new URLSearchParams({ channelId: element('channel').value, customer: element('customer').value });
	const { messages } = await call(`/messages?${query}`);
	element('messages').replaceChildren(
		...messages.map(({ direction, content, status }) => {
			const item = document.createElement('li');
			item.className = direction;
			item.textContent = `${content.text ?? content.type}${direction === 'out' ? ` (${status.toLowerCase()})` : ''}`;
			return item;
		}),
	);
}

const report = (error) => (element('problem').textContent = error.message);

element('composer').addEventListener('submit', async (event) => {
	event.preventDefault();
	element('problem').textContent = '';
	const message = { channelId: element('channel').value, from: element('customer').value, text: element('text').value };
	await call('/inbound', message).then(() => (element('text').value = ''), report);
});

const { tenants } = await call('/state');
element('channel').replaceChildren(...tenants.flatMap((tenant) => tenant.channels).map(({ id, name }) => new Option(name, id)));
for (const id of ['channel', 'customer']) element(id).addEventListener('change', () => show().catch(report));
const events = new EventSource('/_sandbox/events');
for (const type of ['ready', 'message', 'status', 'reset', 'missed']) events.addEventListener(type, () => show().catch(report));
