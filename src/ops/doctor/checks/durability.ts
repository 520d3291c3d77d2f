import { ok, problem, type Check } from '../check.js';
import { selectDatabaseName } from '../collation.sql.js';
import { psql } from '../psql.js';
import { reloading, selectUnsafeSettings, type ServerSetting } from '../server.sql.js';

export const durability: Check = {
  name: 'durability',
  title: 'Committed data survives a power cut',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const unsafe = await selectUnsafeSettings(db);
    if (unsafe.length === 0) return ok('fsync, full_page_writes and synchronous_commit are on.');
    const database = await selectDatabaseName(db);
    const statements = [...unsafe.map((setting) => resetting(setting, database)), reloading];
    return problem(
      `${unsafe.map(({ name }) => name).join(', ')} ${unsafe.length === 1 ? 'is' : 'are'} off: a power cut loses or damages stored data.`,
      await psql(context, statements),
    );
  },
};

const resetting = ({ name, source }: ServerSetting, database: string): string =>
  source === 'database'
    ? `ALTER DATABASE ${database} RESET ${name}`
    : `ALTER SYSTEM SET ${name} = on`;
