import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../../base/config/home.js';
import { dependencyDown } from '../../base/errors/operator.js';
import { withoutSecret } from '../../database/postgres/dump-programs.js';
import { engineFolder } from '../../database/postgres/engine.js';
import type { Engine } from '../../database/postgres/engine.js';
import { requireEngine } from '../../database/postgres/ensure-engine.js';

type Program = 'pg_basebackup' | 'pg_receivewal';

/** PostgreSQL's own programs for physical backups of a private server. */
export interface WalPrograms {
  readonly engine: Engine;
  /** URL for the superuser. */
  readonly url: string;
}

/** @throws OperatorError 69 with the package that contains them. */
export async function findWalPrograms(
  home: Home,
  major: number,
  url: string,
): Promise<WalPrograms> {
  const engine = await requireEngine(engineFolder(home), major);
  const programs: Program[] = ['pg_basebackup', 'pg_receivewal'];
  for (const program of programs) {
    await access(join(engine.bin, program), constants.X_OK).catch((cause: unknown) => {
      throw dependencyDown(`${program} of PostgreSQL ${major} is missing in ${engine.bin}.`, {
        remedy: `sudo apt-get install --no-install-recommends postgresql-client-${major}`,
        cause,
      });
    });
  }
  return { engine, url };
}

/** How to start one of them; the password is in the environment, which others cannot read. */
export function invocation(
  { engine, url }: WalPrograms,
  program: Program,
  args: readonly string[],
): { file: string; args: string[]; env: Record<string, string> } {
  const connection = withoutSecret(url);
  return {
    file: join(engine.bin, program),
    args: [...args, '--no-password', `--dbname=${connection.url}`],
    env: { ...engine.env, ...connection.env },
  };
}
