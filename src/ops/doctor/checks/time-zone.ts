import { WallClock } from '../../../base/time.js';
import { dayMs } from '../../../base/units.js';
import { ok, problem, warning, type Check } from '../check.js';
import { selectWallTimes } from '../server.sql.js';

/** Half a year apart, so that one of them has daylight saving time, if the zone has any. */
const moments = (): Date[] => [0, 182].map((days) => new Date(Date.now() + days * dayMs));

export const timeZone: Check = {
  name: 'time-zone',
  title: 'The time zone is set, and the same here and in the database',
  category: 'home',
  run: async (context) => {
    const { values, sources } = await context.settings.get();
    const zone = values.timezone;
    const machine = Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
    if (sources.timezone === 'default' && zone !== machine) {
      return warning(
        `The machine's time zone, ${context.env.TZ || (machine ?? 'unknown')}, has no region, so all times are in ${zone}.`,
        context.command('config', 'set', 'timezone', 'Europe/Berlin'),
      );
    }
    const db = await context.db().catch(() => undefined);
    if (!db) return ok(`${zone}; there was no database to compare it with.`);
    const clock = new WallClock(zone);
    const here = moments().map((moment) => clock.format(moment));
    const there = await selectWallTimes(db, zone, moments()).catch(() => []);
    if (there.every((text, index) => sameMinute(text, here[index])) && there.length > 0) {
      return ok(`${zone}.`);
    }
    return problem(
      `The database and this program disagree on the time zone ${zone}: ${there.join(', ') || 'the database does not know it'}; ${here.join(', ')}.`,
      'Update the time zones of both: apt-get install --only-upgrade tzdata, also on the machine of the database server, and restart that server',
    );
  },
};

const sameMinute = (a: string, b = ''): boolean => a.slice(0, 13) === b.slice(0, 13);
