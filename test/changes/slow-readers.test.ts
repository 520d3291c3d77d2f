import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { row } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { seedImages } from '../../testkit/image-rows.js';
import { dial } from '../../testkit/raw.js';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after }, { 'database.pool_size': '4' });

/** Far more text than the buffers of a connection hold, cheap to search and to compress. */
const long = 'a'.repeat(30_000);
const images = 250;

async function readerWithMuch(): Promise<Member> {
  const user = await service.user(await service.platform());
  await seedImages(
    service,
    user,
    Array.from({ length: images }, () => ({ filename: long })),
  );
  return user;
}

/** Asks for a response, again if the service is too busy, and reads no more than its beginning. */
async function slowly(user: Member, path: string): Promise<{ socket: Socket; status: string }> {
  for (;;) {
    const socket = await dial(service.service.url);
    socket.write(
      `GET /api/v1/users/${user.id}/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: User ${user.token}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const status = (socket.read(12) as Buffer).toString('latin1');
    if (!status.endsWith('503')) return { socket, status };
    socket.destroy();
  }
}

const inTransaction = async (): Promise<number> => {
  const found = await row<{ n: number }>(
    service.db,
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  return found?.n ?? NaN;
};

test('readers of snapshots and exports hold no connection, however slowly they read', async () => {
  const readers = await Promise.all(Array.from({ length: 3 }, readerWithMuch));
  const other = await service.user(await service.platform());
  const paths = ['snapshot', 'snapshot', 'images/export?format=ndjson', 'snapshot'];
  const slow = await Promise.all(
    readers.flatMap((user) => paths.map((path) => slowly(user, path))),
  );
  try {
    assert.deepEqual(new Set(slow.map(({ status }) => status)), new Set(['HTTP/1.1 200']));
    await eventually(
      'all has been read from the database',
      async () => (await inTransaction()) === 0,
    );
    for (let n = 0; n < 10; n += 1) {
      const list = await service.client.get(`/api/v1/users/${other.id}/images`, {
        as: ['User', other.token],
      });
      assert.equal(list.status, 200);
    }
    assert.equal((await service.client.raw('GET', '/readyz')).status, 200);
    // A connection that goes on reading gets all of it.
    const [first] = slow;
    const chunks: string[] = [];
    first?.socket.setEncoding('latin1').on('data', (chunk: string) => chunks.push(chunk));
    first?.socket.resume();
    const end = `{"end":true,"folders":0,"images":${images}}`;
    await eventually('the end of a snapshot', async () => chunks.slice(-3).join('').includes(end));
  } finally {
    for (const { socket } of slow) socket.destroy();
  }
});
