import type { Home } from '../../base/config/home.js';
import { knownKeys, options, variableOf, type Config } from '../../base/config/options.js';
import { shownOf } from '../../base/config/setting.js';
import { packageFile } from '../../base/installed-files.js';
import { lastLines, run } from '../../base/os/run.js';
import { ExitCode } from '../../base/errors/operator.js';

interface ScheduledParts {
  readonly home: Home;
  /** Of the service; flags included, which the process would not find in the file. */
  readonly config: Config;
  readonly place: string;
  readonly signal: AbortSignal;
}

/**
 * Makes a backup in a process of its own, with low priority: the service answers meanwhile.
 * @returns what the command reports. @throws Error if it failed, or if the backup lacks something.
 */
export async function makeScheduledBackup(parts: ScheduledParts): Promise<unknown> {
  const { home, config, place, signal } = parts;
  const secrets = config['backup.passphrase'] === undefined ? [] : ['--with-secrets'];
  const words = ['backup', place, ...secrets, '--home', home.dir, '--json'];
  const args = [packageFile('bin/imgstore'), ...words];
  const ran = await run(process.execPath, args, { env: environmentOf(config), signal });
  if (ran.code !== ExitCode.ok) throw new Error(`exit code ${ran.code}: ${lastLines(ran.output)}`);
  return JSON.parse(ran.stdout) as unknown;
}

/** Settings as variables, instead of those that name a file with a secret. */
const environmentOf = (config: Config): NodeJS.ProcessEnv =>
  Object.fromEntries(
    knownKeys.flatMap((key) => {
      const value = shownOf(options[key], config[key], undefined);
      const shown = Array.isArray(value) ? value.join(',') : `${(value ?? '') as string | number}`;
      return [
        [variableOf(key), shown || undefined],
        [`${variableOf(key)}_FILE`, undefined],
      ];
    }),
  );
