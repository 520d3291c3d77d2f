import { hasSigningKey, Keyring } from '../../../http/auth/keyring.js';
import { readMasterKey } from '../../../http/auth/secrets.js';
import { ok, type Check } from '../check.js';

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
