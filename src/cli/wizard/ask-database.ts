import { checkDatabase } from '../../database/postgres/check-external.js';
import { checkPrivateDatabase, planDatabase } from '../../database/postgres/provision.js';
import { check, parsed, type Asking, type Chosen } from './asking.js';

/** A private database, or one of the operator's. */
export async function askDatabase(asking: Asking): Promise<Chosen> {
  if (!asking.isOpen('database.url')) return {};
  const { home, ui } = asking.context;
  const plan = await planDatabase({ home });
  const url = await asking.untilItWorks<string | undefined>(
    async (earlier) => {
      const own = await asking.choose('Which PostgreSQL database should it use?', [
        {
          name: 'A private one, which imgstore sets up and runs',
          value: false,
          description: `It would ${plan.join(', then ')}.`,
        },
        { name: 'An existing one, with PostGIS', value: true },
      ]);
      if (!own) return undefined;
      const message = 'Its URL (postgresql://USER:PASSWORD@HOST/DATABASE):';
      return asking.text(message, earlier ?? '', check('database.url'));
    },
    async (answer) => {
      if (answer === undefined) return checkPrivateDatabase(home);
      ui.progress('Testing the database');
      await checkDatabase(answer);
    },
  );
  return url === undefined ? {} : parsed('database.url', url);
}
