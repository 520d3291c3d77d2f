import {
  adminToken,
  interrupted,
  interruption,
  misused,
  numberOf,
  readOptions,
  requireServer,
} from '../testkit/script.js';
import { reportOf } from './soak/report.js';
import { soak } from './soak/soak.js';

const usage = `Usage: ADMIN_TOKEN=TOKEN npm run soak -- --base URL [--seconds 60] [--users 50] [--keep]

Runs many users against a server, each checking every response against its own model; exit code 1 on any
finding or 5xx. At the end its users and their images are deleted; its three platforms stay, empty.

  --base URL           the server, such as http://127.0.0.1:8080
  --admin-token TOKEN  in place of the variable ADMIN_TOKEN; npm prints it
  --seconds N          how long (default: 60)
  --users N            how many users (default: 50)
  --keep               keep the users and their images`;

const values = readOptions(usage, {
  base: { type: 'string' },
  'admin-token': { type: 'string' },
  seconds: { type: 'string', default: '60' },
  users: { type: 'string', default: '50' },
  keep: { type: 'boolean', default: false },
});
const base = values.base ?? misused('There is no --base.', usage);
const token = adminToken(values['admin-token'], usage);
const seconds = numberOf(['seconds', values.seconds], usage, 1);
const users = numberOf(['users', values.users], usage, 1);
await requireServer(base);

const end = performance.now() + seconds * 1000;
const stop = interruption();
const shouldContinue = (): boolean => performance.now() < end && !stop.aborted;
const soaked = await soak({
  base,
  adminToken: token,
  users,
  shouldContinue,
  cleanUp: !values.keep,
});
console.log(reportOf(soaked));
const problems = soaked.findings.length + soaked.tally.failures;
process.exitCode = stop.aborted ? interrupted : Number(problems > 0);
