#!/bin/sh
# One would guess that n8n, if an option of a trigger is changed after it received something and
# "Execute step" runs a node behind it, waits for a new event, or takes the old one. It runs the
# trigger as a step that passes its input on: one empty item, of which the node behind finds nothing
# in its expressions. With the trigger unchanged, the node gets the received item again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps \
	n8n-core@2.41.1 n8n-workflow@2.41.0 reflect-metadata@0.2.2
cat >run.cjs <<'JS'
require('reflect-metadata');
const { WorkflowExecute } = require('n8n-core');
const { Workflow } = require('n8n-workflow');

const described = (name, group, inputs) => ({
	description: {
		...{ name, displayName: name, version: 1, group: [group], defaults: {} },
		...{ inputs, outputs: ['main'], properties: [] },
	},
});
const types = {
	// As every trigger that a service calls: a webhook, and nothing that is executed.
	received: { ...described('received', 'trigger', []), webhook: async () => ({}) },
	shown: { ...described('shown', 'output', ['main']), execute() { return [this.getInputData()]; } },
};
const node = (type) => {
	return { id: type, name: type, type, typeVersion: 1, position: [0, 0], parameters: {} };
};
const before = [{ json: { text: 'Hello' } }];
const done = {
	startTime: 0,
	executionTime: 1,
	executionIndex: 0,
	executionStatus: 'success',
	source: [],
	data: { main: [before] },
};

async function executeStep(changed) {
	const workflow = new Workflow({
		id: '1',
		nodes: [node('received'), node('shown')],
		connections: { received: { main: [[{ node: 'shown', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: { getByNameAndVersion: (type) => types[type], getByName: (type) => types[type] },
	});
	const data = { hooks: { runHook: async () => {} }, executionId: '1', webhookWaitingBaseUrl: '' };
	const to = { nodeName: 'shown', mode: 'inclusive' };
	const engine = new WorkflowExecute(data, 'manual');
	const run = await engine.runPartialWorkflow2(workflow, { received: [done] }, {}, changed, to);
	const [last] = run.data.resultData.runData.shown ?? [];
	return JSON.stringify(last?.data.main[0].map(({ json }) => json) ?? run.data.resultData.error);
}

(async () => {
	console.log('n8n-core', require('./node_modules/n8n-core/package.json').version);
	console.log('trigger as it was:', await executeStep([]));
	console.log('trigger changed:', await executeStep(['received']));
	process.exit(0);
})();
JS
N8N_USER_FOLDER="$folder" N8N_ENCRYPTION_KEY=made-up node run.cjs | tee output
diff output - <<'EXPECTED'
n8n-core 2.41.1
trigger as it was: [{"text":"Hello"}]
trigger changed: [{}]
EXPECTED
