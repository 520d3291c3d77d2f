import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createDataSource } from '../../src/database/data-source.js';
import { readInstance } from '../../src/database/instance.js';
import { ReplicatedReads } from '../../src/database/replicated-reads.js';
import { row } from '../../src/database/sql.js';
import { createLogger } from '../../src/base/telemetry/logger.js';
import { eventually } from '../../testkit/eventually.js';
import type { Client } from '../../testkit/client.js';
import type { Image } from '../../testkit/records.js';
import { replicated } from '../../testkit/replica.js';
import { ownService } from '../../testkit/service.js';
import { lastFirst } from '../../testkit/scope.js';
import type { Member, Tenant } from '../../testkit/world.js';

// Hooks run in reverse order, so the service ends before its databases.
const scope = lastFirst({ after });
const replica = await replicated(scope);
const service = await ownService(scope, {
  'database.url': replica.primary,
  'database.replicas': replica.url,
});
const second = await service.secondNode();
const nodes = [service.client, second];

interface Page {
  readonly total_count: number;
  readonly items: readonly Image[];
}

const list = async (node: Client, user: Member): Promise<Page> => {
  const query = { view_type: 'list' };
  const { status, result } = await node.get<Page>(user.images, { as: ['User', user.token], query });
  assert.equal(status, 200);
  return result;
};

const listed = async (node: Client, user: Member): Promise<string[]> =>
  (await list(node, user)).items.map(({ id }) => id);

/** The number of images that each node's reads of a platform return. */
async function counted(node: Client, platform: Tenant, user: Member) {
  const as = ['Platform', platform.token] as const;
  const base = `/platforms/${platform.id}`;
  const paths = [`/api/v2${base}/stats/total`, `/api/v1${base}/images`];
  const [total, images] = await Promise.all(
    paths.map(
      async (path) =>
        (await node.get<{ total_images?: number; count?: number }>(path, { as })).result,
    ),
  );
  const contents = await node.get<{ total_count: number }>(
    `/api/v1/users/${user.id}/folders/root`,
    {
      as: ['User', user.token],
    },
  );
  return [total?.total_images, images?.count, contents.result?.total_count];
}

const images = '%FROM images%';

describe('with a read replica', () => {
  test('lists are read from it', async () => {
    const album = await service.user();
    const { id } = await album.upload();
    await eventually('it was asked', async () => {
      await replica.catchUp();
      assert.deepEqual(await listed(service.client, album), [id]);
      return (await replica.ran(images)) > 0;
    });
  });

  test('a read immediately after a write sees it on every node', async () => {
    const album = await service.user();
    for (let n = 1; n <= 15; n += 1) {
      const { id } = await album.upload();
      const seen = await Promise.all(nodes.map((node) => listed(node, album)));
      for (const ids of seen) assert.ok(ids.length === n && ids.includes(id), `image ${n}`);
    }
  });

  test('even while the replica is stalled', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const album = user;
    await replica.pause();
    try {
      const { id } = await album.upload();
      for (const node of nodes) {
        assert.deepEqual(await listed(node, user), [id]);
        assert.deepEqual(await counted(node, platform, user), [1, 1, 1]);
      }
    } finally {
      await replica.resume();
    }
  });

  test('a replica that is down causes no failures, and is used again once it is back', async () => {
    const album = await service.user();
    const { id } = await album.upload();
    await replica.end('SIGQUIT');
    for (const node of nodes) assert.deepEqual(await listed(node, album), [id]);
    await replica.start();
    await eventually('it is asked again', async () => {
      assert.deepEqual(await listed(service.client, album), [id]);
      return (await replica.ran(images)) > 0;
    });
  });
});

describe('the reads', async () => {
  const limits = { poolSize: 2, statementTimeoutMs: 0, entities: [], migrations: [] };
  const source = (url: string) => createDataSource({ url, ...limits });
  const primary = await source(replica.primary).initialize();
  scope.after(() => primary.destroy());
  const logger = createLogger({ level: 'error', format: 'json' });
  const { id: instance } = await readInstance(primary);

  /** Whether a standby server answered. */
  const standby = async (reads: ReplicatedReads): Promise<boolean | undefined> =>
    (await row<{ standby: boolean }>(reads, 'SELECT pg_is_in_recovery() AS standby'))?.standby;

  test('go to an up-to-date replica, otherwise to the primary', async () => {
    const reads = new ReplicatedReads(primary, [source(replica.url)], instance, logger);
    try {
      await eventually('the replica answers', async () => (await standby(reads)) === true);
      await replica.pause();
      await primary.query('CREATE TABLE something ()');
      assert.equal(await standby(reads), false);
      await replica.resume();
      await eventually('the replica answers again', async () => (await standby(reads)) === true);
    } finally {
      await reads.close();
    }
  });

  test('never go to a server that is no replica of this installation', async () => {
    const stranger = '00000000-0000-7000-8000-000000000000';
    for (const [url, id] of [
      [replica.primary, instance],
      [replica.url, stranger],
      ['postgresql://nobody@127.0.0.1:1/none', instance],
    ] as const) {
      const reads = new ReplicatedReads(primary, [source(url)], id, logger);
      for (let i = 0; i < 3; i += 1) assert.equal(await standby(reads), false);
      await reads.close();
    }
  });
});
