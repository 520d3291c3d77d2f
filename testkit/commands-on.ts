import assert from 'node:assert/strict';
import type { Home } from '../src/config/home.js';
import type { Failure, Ran } from './command.js';
import { hosted } from './hosted-command.js';

/** Commands on a home, each with these flags, in a process that has loaded the program already. */
export function commandsOn(home: Home, flags: readonly string[] = []) {
  const run = (...args: string[]): Promise<Ran> => hosted([...args, ...flags, '--home', home.dir]);
  /** What a command that succeeds prints with --json. */
  const done = async <T>(...args: string[]): Promise<T> => {
    const ran = await run(...args, '--json');
    assert.equal(ran.code, 0, ran.stdout);
    return ran.json<T>();
  };
  /** What a command that fails says of it with --json. */
  const failed = async (...args: string[]): Promise<Failure['error']> => {
    const ran = await run(...args, '--json');
    assert.equal(ran.code, ran.json<Failure>().error.exit_code);
    return ran.json<Failure>().error;
  };
  return { run, done, failed };
}
