import { checkSendingPlan, sendingPlan, type SendingPlan } from '../../unit/sending/sendingPlan.mts';
import { checkRegistrationScenario, registrationScenario, type RegistrationScenario } from '../../unit/trigger/registrationScenario.mts';
import type { Door } from '../door.mts';

/** Sending against any failures, waits, cancellations and repetitions. */
export const sending: Door<SendingPlan> = { name: 'sending', input: sendingPlan, check: checkSendingPlan };

/** Registration against any list, any failing call and any order of what n8n does. */
export const registration: Door<RegistrationScenario> = { name: 'registration', input: registrationScenario, check: checkRegistrationScenario };
