/** `npm run rehearse`: as `business-messaging-sandbox rehearse`, in this repository. */
import { rehearse } from './cli/rehearse.mts';

process.exitCode = await rehearse(process.argv.slice(2));
