import { explainServer } from '../../../database/operator-errors.js';
import { readServerVersion } from '../../totals.js';
import { OperatorError } from '../../../base/errors/operator.js';
import { ok, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

export const database: Check = {
  name: 'database',
  title: 'The database answers, and imgstore can use it',
  category: 'database',
  run: async (context) => {
    await context.settings.get();
    const { db, kind } = await context.database.open().catch((error: unknown) => {
      throw withCommand(context, error);
    });
    return ok(`PostgreSQL ${await readServerVersion(db)}, ${kind}.`);
  },
};

/** Adds the command that selects another server to a failure of an external one. */
function withCommand(context: DoctorContext, error: unknown): unknown {
  const known = error instanceof OperatorError ? error : explainServer(error);
  if (!known || known.setting !== 'database.url') return error;
  const { exitCode, message, setting, remedy = '' } = known;
  const command = context.command('config', 'set', 'database.url', 'URL');
  return new OperatorError(exitCode, message, {
    setting,
    cause: error,
    remedy: `On the machine of the database: systemctl start postgresql; ${remedy}: ${command}`,
  });
}
