import { parseArgs } from 'node:util';
import { reportOf } from './soak/report.js';
import { soak } from './soak/soak.js';

// npm run soak -- --base URL --admin-token TOKEN [--seconds 60] [--users 50]: many concurrent users
// on a running server, each of which knows what it must find.

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    'admin-token': { type: 'string' },
    seconds: { type: 'string', default: '60' },
    users: { type: 'string', default: '50' },
  },
});
const { base, 'admin-token': adminToken } = values;
const [seconds, users] = [Number(values.seconds), Number(values.users)];
if (!base || !adminToken || !(seconds > 0) || !Number.isInteger(users) || users < 1) {
  console.error(
    'Usage: npm run soak -- --base URL --admin-token TOKEN [--seconds 60] [--users 50]',
  );
  process.exit(2);
}

const end = performance.now() + seconds * 1000;
const goesOn = (): boolean => performance.now() < end;
const soaked = await soak({ base, adminToken, users, goesOn });
console.log(reportOf(soaked));
process.exitCode = soaked.findings.length + soaked.tally.failures === 0 ? 0 : 1;
