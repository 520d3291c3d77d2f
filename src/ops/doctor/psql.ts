import { clusterFiles } from '../../database/postgres/cluster-files.js';
import { databaseName, superuser } from '../../database/postgres/connect.js';
import { shellWord } from '../../base/os/command-line.js';
import type { DoctorContext } from './context.js';

/** A command, ready to be pasted, that runs statements as a role that may change the server. */
export async function psql(context: DoctorContext, statements: readonly string[]): Promise<string> {
  const words = statements.map((statement) => `-c ${shellWord(statement)}`).join(' ');
  const { kind } = await context.database.get();
  if (kind === 'external') {
    return `psql "$(${context.command('config', 'get', 'database.url')})" ${words} (as a role that may)`;
  }
  const { password, socketDir } = clusterFiles(context.home);
  const secret = `PGPASSWORD=$(cat ${shellWord(password)})`;
  return `${secret} psql -h ${shellWord(socketDir)} -U ${superuser} -d ${databaseName} ${words}`;
}
