import {
	checkSendingPlan,
	sendingPlan,
	type SendingPlan,
} from '../../unit/sending/sendingPlan.mts';
import {
	checkRegistrationScenario,
	registrationScenario,
	type RegistrationScenario,
} from '../../unit/trigger/registration/scenario.mts';
import type { EntryPoint } from '../entryPoint.mts';

/** Sending against any failures, waits, cancellations and repetitions. */
export const sending: EntryPoint<SendingPlan> = {
	name: 'sending',
	input: sendingPlan,
	check: checkSendingPlan,
};

/** Registration against any list, any failing call and any order of what n8n does. */
export const registration: EntryPoint<RegistrationScenario> = {
	name: 'registration',
	input: registrationScenario,
	check: checkRegistrationScenario,
};
