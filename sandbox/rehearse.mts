/** `npm run rehearse`: `business-messaging-sandbox rehearse` from this repository. */
import { rehearse } from './cli/rehearse.mts';

process.exitCode = await rehearse(process.argv.slice(2));
