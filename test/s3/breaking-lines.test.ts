import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DataSourceOptions } from 'typeorm';
import pg from 'pg';
import { leftNow, letTimePass } from '../../bench/lines/left.js';
import { Sending } from '../../bench/lines/sending.js';
import { verdictOn } from '../../bench/lines/verdict.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { expireUploads } from '../../src/library/resumable/upkeep.js';
import { eventually } from '../../testkit/eventually.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';

const bucket = newBucketConfig();
after(() => removeBucket(bucket));
const service = await ownService({ after }, s3Settings(bucket));
const { db, home } = service;

// With pages in Chromium, 200 clients, and kills: npm run soak -- --resumable
test('clients on breaking lines store each file once, send little twice, and leave nothing', async (t) => {
  const scope = lastFirst(t);
  const node = await service.node();
  const owners = [(await service.user()).record, (await service.user()).record];
  const { url = '' } = db.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  scope.after(() => client.end());
  const sending = await Sending.prepare(scope, {
    nodes: () => [node.url, service.client.base],
    owners,
    clients: 6,
    pages: 0,
    megabytes: (part) => 1 + part,
    folder: join(home.dir, 'phones'),
    bytesPerSecond: 250_000,
    cuts: [500, 3_000],
    silently: false,
    withinMs: 500,
    retryDelays: Array.from({ length: 60 }, () => 100),
  });
  const work = sending.all(AbortSignal.timeout(120_000));
  await eventually('a part is sent', () => sending.sent > sending.bytes / 4);
  await node.stop();
  await work;
  assert.ok(sending.cuts >= 6, `${sending.cuts} cuts`);
  assert.deepEqual(await verdictOn(sending, client, service.client.base), []);
  await letTimePass(client);
  await expireUploads({ db, hours: 72 });
  await letTimePass(client);
  await reclaimOnce({ dataSource: db, store: service.service.store });
  assert.deepEqual(await leftNow({ bucket, homes: [home] }, client), []);
});
