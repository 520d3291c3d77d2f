import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Installation } from '../../testkit/installation.js';
import { Traffic } from './demonstration/traffic.js';
import { longOnly } from '../../testkit/long-form.js';
import { lastFirst } from '../../testkit/scope.js';

/** Images that must go through after each failure before the next one is triggered. */
const between = 6;

type Blow = [what: string, blow: () => Promise<void>];

/**
 * Three nodes, one PostgreSQL, and a Ceph with three copies: uploads and reads continue while each
 * part in turn is killed. Prints the clients' results.
 */
test('no acknowledged image is lost, whichever part is killed', longOnly, async (t) => {
  const parts = await Installation.start(lastFirst(t));
  const users = await Promise.all(['a', 'b', 'c'].map((name) => parts.newUser(name)));
  const traffic = new Traffic(() => parts.urls);
  traffic.start(users);

  const { ceph } = parts;
  const blows: Blow[] = [
    ['nothing', async () => undefined],
    ['a node is killed', () => parts.killNode(1)],
    ['an OSD is killed', () => ceph.kill('osd.3')],
    ['a gateway is killed', () => ceph.kill('client.rgw0')],
    ['the node comes back', () => parts.startNode(1)],
    ['a monitor is killed', () => ceph.kill('mon.m0')],
    ['the gateway comes back', async () => ceph.run('client.rgw0')],
    ['the other gateway is killed', () => ceph.kill('client.rgw1')],
    ['PostgreSQL is killed and restarted', () => parts.crashDatabase()],
    ['another node is killed', () => parts.killNode(2)],
  ];
  for (const [what, blow] of blows) {
    const [start, before] = [Date.now(), traffic.seen.uploads];
    await blow();
    await traffic.more(between).catch((error: unknown) => {
      throw new Error(`after "${what}"; the nodes logged:\n${parts.log}`, { cause: error });
    });
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    t.diagnostic(`${what}: ${traffic.seen.uploads - before} pictures in ${seconds} s`);
  }
  await traffic.stop();

  const pictures = await traffic.readAll();
  const verified = await parts.command<{ ok: boolean; objects: number }>('verify', 'accounts');
  assert.ok(verified.ok);
  assert.ok(pictures >= blows.length * between);

  const { uploads, reads, failures, longestStall, longestWait } = traffic.seen;
  t.diagnostic(`${uploads} uploads acknowledged, ${reads} reads, all bit for bit`);
  for (const [kind, count] of failures) t.diagnostic(`repeated after ${kind}: ${count}`);
  t.diagnostic(`longest time without an acknowledged upload: ${longestStall} ms`);
  t.diagnostic(`longest that one client had to try: ${longestWait} ms`);
  t.diagnostic(`verify accounts: ok, ${verified.objects} objects`);
});
