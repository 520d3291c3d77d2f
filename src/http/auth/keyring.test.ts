import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { migrations } from '../../../migrations/index.js';
import { testDatabase } from '../../../testkit/database.js';
import { createDataSource } from '../../database/data-source.js';
import { SigningKeyEntity } from './entity.js';
import { Keyring } from './keyring.js';
import { newMasterKey } from './secrets.js';

const { url } = await testDatabase({ after });
const db = await createDataSource({
  url,
  poolSize: 4,
  statementTimeoutMs: 20_000,
  entities: [SigningKeyEntity],
  migrations: [...migrations],
}).initialize();
after(() => db.destroy());

test('any number of unknown keys costs at most two queries, after which a new key is found', async () => {
  const master = newMasterKey();
  let queries = 0;
  const counting = Object.create(db) as typeof db;
  counting.getRepository = (entity) => {
    queries += 1;
    return db.getRepository(entity);
  };
  const keyring = new Keyring(counting, master);
  const unknown = Array.from({ length: 500 }, () => keyring.find(uuidv7()));
  const { id } = await new Keyring(db, master).rotate(); // on another node
  const found = await keyring.find(id);
  assert.equal(found?.id, id);
  assert.ok((await Promise.all(unknown)).every((key) => key === undefined));
  assert.ok(queries >= 1 && queries <= 3, `${queries} queries`);
  await keyring.find(id);
  assert.ok(queries <= 3);
});
