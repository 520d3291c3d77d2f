import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { version } from '../../src/base/installed-files.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { testDatabase } from '../../testkit/database.js';
import { eventually } from '../../testkit/eventually.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';

/** What a newer version might add. */
class Colours9999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE folders ADD COLUMN colour text NOT NULL DEFAULT 'none'`);
  }
  async down(): Promise<void> {}
}

const scope = lastFirst({ after });
const { url } = await testDatabase(scope);
const service = await ownService(scope, { 'database.url': url });

const readiness = (status: number): Promise<void> =>
  eventually(
    `readiness is ${status}`,
    async () => (await service.client.raw('GET', '/readyz')).status === status,
  );

test('a node stays ready and serves while nodes of the next minor version join it', async () => {
  const tree = await service.user();
  await tree.folder('before');
  const limits = { poolSize: 1, statementTimeoutMs: 0, entities: [] };
  const newer = { url, migrations: [...migrations, Colours9999999999999], ...limits };
  assert.equal((await migrate(createDataSource(newer), () => undefined)).length, 1);
  const [major, minor] = version().split('.').map(Number) as [number, number];
  const appliedBy = (by: string) =>
    service.db.query(`UPDATE migrations SET applied_by = $1 WHERE name LIKE 'Colours%'`, [by]);
  await appliedBy(`${major}.${minor + 1}.0`);
  await readiness(200);
  await tree.folder('after');
  await appliedBy(`${major}.${minor + 2}.0`);
  await readiness(503);
  const answer = await service.client.raw('GET', '/readyz');
  const { error } = (await answer.json()) as { error: { details: Record<string, string> } };
  assert.equal(error.details.migrations, 'down');
  await appliedBy(`${major}.${minor + 1}.3`);
  await readiness(200);
});
