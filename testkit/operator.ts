import type { DataSourceOptions } from 'typeorm';
import type { Ran } from './command.js';
import { hosted } from './hosted-command.js';
import type { TestService } from './service.js';

/** Runs `imgstore … --json` on the home of a running service. */
export function operate(
  { home, db }: TestService,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { url } = db.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  return hosted([...args, '--json', '--home', home.dir, '--database-url', url ?? ''], { env });
}
