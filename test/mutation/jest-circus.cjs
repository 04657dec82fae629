/**
 * Runs a test file as Jest does, until a test has found the mutant: called from a program, Jest has
 * no "bail".
 */
const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');

const { state } = require('./reach.cjs');

/** A test file without a test counts as broken. */
const LEFT_OUT = {
	title: 'left out',
	fullName: 'left out',
	status: 'pending',
	ancestorTitles: [],
	failureDetails: [],
	failureMessages: [],
	numPassingAsserts: 0,
};

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	if (state.isKilled)
		return {
			...createEmptyTestResult(),
			testFilePath: testPath,
			numPendingTests: 1,
			testResults: [LEFT_OUT],
		};
	return await circus(globalConfig, config, environment, runtime, testPath, ...rest);
};
