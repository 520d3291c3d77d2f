import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unknownVariables } from '../../../base/config/load.js';
import { optionKeys, options } from '../../../base/config/options.js';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing } from '../../../base/os/files.js';
import { WallClock } from '../../../base/time.js';
import { counted, dayMs } from '../../../base/units.js';
import { hasSigningKey, Keyring } from '../../../http/auth/keyring.js';
import { readMasterKey } from '../../../http/auth/secrets.js';
import { ok, problem, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';
import { selectWallTimes } from '../doctor.sql.js';

export const config: Check = {
  name: 'config',
  title: 'The settings have no mistakes',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const { sources } = await context.settings.open();
    const given = Object.values(sources).filter((source) => source !== 'default').length;
    return ok(`${counted(given, 'setting')} given in all; the file is ${context.home.configFile}.`);
  },
};

export const variables: Check = {
  name: 'variables',
  title: 'Every variable named IMGSTORE_… is known',
  category: 'home',
  run: ({ env }) => {
    const sentences = unknownVariables(env);
    if (sentences.length === 0) return ok('No variable is mistyped.');
    return warning(
      sentences.join(' '),
      'Correct its name in the unit, the compose file, or the profile of the shell; "imgstore help settings" lists all.',
    );
  },
};

/** The permissions of all other users. */
const everybody = 0o007;

export const secrets: Check = {
  name: 'secrets',
  title: 'No other users of this machine can read the secrets',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const open = await openToEverybody(context);
    if (open.length === 0) return ok('Only their owner and group can read them.');
    const paths = open.map(({ path }) => path);
    return problem(
      `All users of this machine can access ${paths.join(', ')}.`,
      `chmod o-rwx ${paths.map(shellWord).join(' ')}; if others may have read a key: ${context.command('keys', 'rotate', '--revoke-old')}`,
    );
  },
  fix: async (context) => {
    const open = await openToEverybody(context);
    for (const { path, mode } of open) await chmod(path, mode & ~everybody);
    return `Closed to other users: ${open.map(({ path }) => path).join(', ')}.`;
  },
};

interface Path {
  readonly path: string;
  readonly mode: number;
}

async function openToEverybody(context: DoctorContext): Promise<Path[]> {
  const { secrets, tokens, configFile } = context.home;
  const paths = [
    ...(await withContents(secrets)),
    ...(await withContents(tokens)),
    ...((await holdsSecrets(context)) ? [configFile] : []),
  ];
  const found = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o7777 })),
  );
  return found.filter(({ mode }) => (mode & everybody) !== 0);
}

/** A folder and the files in it; empty if it does not exist. */
async function withContents(folder: string): Promise<string[]> {
  try {
    return [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}

/** Whether config.yaml contains a password or key. */
async function holdsSecrets(context: DoctorContext): Promise<boolean> {
  const settings = await context.settings.find();
  return optionKeys.some((key) => 'secret' in options[key] && settings?.sources[key] === 'file');
}

export const masterKey: Check = {
  name: 'master-key',
  title: 'The master key exists, and matches the database',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const key = await readMasterKey(context.home);
    const db = await context.instance.get().then(
      () => context.db(),
      () => undefined,
    );
    if (!db) return ok('It exists; there was no database to compare it with.');
    // Without a signing key, this would create one.
    if (await hasSigningKey(db.manager)) await new Keyring(db, key).current();
    return ok('It decrypts the keys in the database.');
  },
};

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
