import { run } from '../../../base/os/run.js';
import { secondMs } from '../../../base/units.js';
import { ok, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';

const limitMs = 5 * secondMs;

export const timeSync: Check = {
  name: 'time-sync',
  title: 'The clock of this machine is synchronized',
  category: 'machine',
  run: async () => {
    const asked = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
      timeoutMs: limitMs,
    }).catch(() => undefined);
    const said = asked?.code === 0 ? asked.stdout.trim() : '';
    if (said === 'yes') return ok('The clock follows a time server.');
    if (said !== 'no')
      throw new Skip('timedatectl does not report whether the clock is synchronized');
    return warning(
      'The clock follows no time server: times of uploads, tokens and signed URLs will be wrong sooner or later.',
      'timedatectl set-ntp true (if that is not supported: apt-get install systemd-timesyncd)',
    );
  },
};
