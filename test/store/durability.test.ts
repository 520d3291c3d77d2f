import assert from 'node:assert/strict';
import { open, readlink } from 'node:fs/promises';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, relative } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { rows } from '../../src/database/sql.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';

/** What happened to the files of the store and in the database, in order. */
type Step = readonly [what: 'data' | 'link' | 'folder' | 'insert' | 'commit', path: string];

let noting: Step[] | undefined;
type Query = (...all: unknown[]) => unknown;
const query = Reflect.get(pg.Client.prototype, 'query') as Query;
// Before the service connects: its clients take it as it is then.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first.text ?? '');
  if (/INSERT INTO images\b/.test(text)) noting?.push(['insert', '']);
  // Of this transaction or a later one: what counts is that none of them is too early.
  else if (/^\s*COMMIT/i.test(text)) noting?.push(['commit', '']);
  return query.apply(this, args);
} as typeof pg.Client.prototype.query;
after(() => Object.assign(pg.Client.prototype, { query }));

const service = await ownService({ after });
const { home, db } = service;
const album = await service.user();

/** How long a slow disk takes longer to sync than this one: what does not wait for it shows. */
const slownessMs = 100;

/** Records an action's system calls that make it durable; each step of a sync when it is over. */
async function recorded(
  action: () => Promise<unknown>,
  onLink: () => Promise<unknown> = async () => undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  const handle = await open('/dev/null');
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const datasync: typeof handle.datasync = Reflect.get(handles, 'datasync');
  const sync: typeof handle.sync = Reflect.get(handles, 'sync');
  const { link } = fs;
  handles.datasync = async function (this: typeof handle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`);
    await datasync.call(this);
    await delay(slownessMs);
    steps.push(['data', path]);
  };
  handles.sync = async function (this: typeof handle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`);
    await sync.call(this);
    await delay(slownessMs);
    steps.push(['folder', path]);
  };
  fs.link = async (from, to) => {
    if (String(to).startsWith(home.store)) {
      steps.push(['link', `${String(from)} ${String(to)}`]);
      await onLink();
    }
    return link(from, to);
  };
  syncBuiltinESMExports();
  noting = steps;
  try {
    await action();
  } finally {
    Object.assign(handles, { datasync, sync });
    noting = undefined;
    fs.link = link;
    syncBuiltinESMExports();
  }
  return steps;
}

test('an upload is acknowledged after its files, their folders, and its rows are on the disk', async () => {
  const steps = await recorded(() => album.upload());
  const names = steps.map((step) => step.join(' '));
  const insert = names.indexOf('insert ');
  const commit = names.indexOf('commit ', insert);
  assert.ok(insert >= 0 && commit > insert, names.join('\n'));
  const links = steps.filter(([what]) => what === 'link').map(([, paths]) => paths.split(' '));
  assert.ok(links.length >= 2, 'original and thumbnail');
  for (const [from = '', to = ''] of links) {
    const linked = names.indexOf(`link ${from} ${to}`);
    const data = names.indexOf(`data ${from}`);
    assert.ok(data >= 0 && data < linked, `data before the name:\n${names.join('\n')}`);
    for (let folder = dirname(to); relative(home.store, folder) !== ''; folder = dirname(folder)) {
      const synced = names.lastIndexOf(`folder ${folder}`);
      assert.ok(synced > linked && synced < commit, `${folder}:\n${names.join('\n')}`);
    }
    const root = names.lastIndexOf(`folder ${home.store}`);
    assert.ok(root > linked && root < commit, `the root:\n${names.join('\n')}`);
  }
});

test('an upload whose objects the reclaim job may delete is not acknowledged', async () => {
  const before = await album.call('GET', '/images/count');
  let answer: { status: number; error?: { code: string } | undefined } | undefined;
  await recorded(
    async () => {
      const form = { image_data: filePart(await jpeg({ seed: 7 })) };
      answer = await album.call('POST', '/images', { form });
    },
    () => rows(db, `UPDATE object_reclaim SET not_before = now() - interval '1 second'`),
  );
  assert.deepEqual([answer?.status, answer?.error?.code], [503, 'unavailable']);
  assert.deepEqual((await album.call('GET', '/images/count')).result, before.result);
});
