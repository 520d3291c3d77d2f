import assert from 'node:assert/strict';
import type { Home } from '../src/base/config/home.js';
import type { Failure, Ran } from './command.js';
import { hosted } from './hosted-command.js';

/** Runs commands on a home with these flags, in a process that has already loaded the program. */
export function commandsOn(home: Home, flags: readonly string[] = []) {
  const run = (...args: string[]): Promise<Ran> => hosted([...args, ...flags, '--home', home.dir]);
  /** The JSON output of a command that must succeed. */
  const done = async <T>(...args: string[]): Promise<T> => {
    const ran = await run(...args, '--json');
    assert.equal(ran.code, 0, ran.stdout);
    return ran.json<T>();
  };
  /** The JSON error of a command that must fail. */
  const failed = async (...args: string[]): Promise<Failure['error']> => {
    const ran = await run(...args, '--json');
    assert.equal(ran.code, ran.json<Failure>().error.exit_code);
    return ran.json<Failure>().error;
  };
  return { run, done, failed };
}
