import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { PeakMemory } from '../../testkit/memory.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { longForm } from '../../testkit/long-form.js';

/** Concurrent requests of clients that do not read their responses, and of clients that search. */
const stalled = longForm ? 200 : 100;
const searching = longForm ? 300 : 150;
/** Reads of the other user. */
const reads = 12;
/** Megabytes by which the service may grow. */
const more = 250;

const started = await appliance({ after });
const { client, tenant, user: victim, databaseUrl } = started;

/** Another user with so many images, and much text on the newest. */
async function greedyUser(name: string, count: number): Promise<{ images: string; token: string }> {
  const { id, images, token } = await tenant.user(name);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(
    `INSERT INTO images (id, platform_id, user_id, created_at, upload_type, version_id, filename,
       address_road, format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
       original_extension, original_bytes)
     SELECT id, $1, $2, now() - n * interval '1 s', 'gallery', id, 'picture ' || n || '.jpg',
            'Street ' || n, 'jpeg', 'jpg', 'jpg', '\\xab', 1, 1, 1, '\\xcd', 'jpg', 1
     FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int) AS n) AS made`,
    [tenant.id, id, count],
  );
  await db.query(
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT gen_random_uuid(), user_id, image, 'k', repeat('v', 10000)
     FROM (SELECT user_id, id AS image FROM images WHERE user_id = $1
           ORDER BY created_at DESC LIMIT 30) AS newest, generate_series(1, 40)`,
    [id],
  );
  await db.end();
  return { images, token };
}

test('hundreds of concurrent heavy requests of two users do not delay another user', async (t) => {
  const image = await victim.upload();
  const reader = await greedyUser('reads nothing', 60);
  const searcher = await greedyUser('searches', 2_000);
  const headers = { authorization: `User ${searcher.token}` };

  const memory = await PeakMemory.watch(t, started);
  const { hostname, port } = new URL(client.base);
  const sockets = new Set<Socket>();
  for (let n = 0; n < stalled; n += 1) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    socket.write(
      `GET ${reader.images}?with_custom=True HTTP/1.1\r\nhost: x\r\nauthorization: User ${reader.token}\r\n\r\n`,
    );
    sockets.add(socket);
  }
  let [answered, found] = [0, 0];
  const agent = new Agent({ keepAlive: true, maxSockets: searching });
  let over = false;
  const search = async (): Promise<void> => {
    while (!over) {
      const asked = request(new URL(`${searcher.images}?search=zq`, client.base), {
        agent,
        headers,
      }).end();
      const [answer] = (await once(asked, 'response').catch(() => [])) as [
        { statusCode: number; resume(): void }?,
      ];
      if (!answer) return;
      answer.resume();
      answered += 1;
      if (answer.statusCode === 200) found += 1;
    }
  };
  const lanes = Array.from({ length: searching }, search);
  try {
    await eventually('some searches are answered', () => found > 0);
    // How long a read takes is counted in searches that are answered meanwhile: whoever stands in line
    // behind the others waits for all of them.
    const meanwhile: number[] = [];
    for (let n = 0; n < reads; n += 1) {
      const before = answered;
      const { status } = await victim.get(n % 2 ? `/images/${image.id}` : '/images');
      assert.equal(status, 200);
      meanwhile.push(answered - before);
    }
    const { before, peak } = await memory.stop();
    t.diagnostic(
      `searches during each read: ${meanwhile.join(' ')}; in all ${found} of ${answered}`,
    );
    t.diagnostic(`${before} MB before, ${peak} MB at most`);
    assert.ok(Math.max(...meanwhile) < searching / 2, meanwhile.join(' '));
    assert.ok(peak - before < more, `${before} MB, then ${peak} MB`);
  } finally {
    over = true;
    for (const socket of sockets) socket.destroy();
    agent.destroy();
    await Promise.all(lanes);
  }
  for (const { images, token } of [reader, searcher]) {
    // The service finishes running work of disconnected clients first.
    const call = { as: ['User', token] as const, query: { page_size: 1 } };
    await eventually(
      'the greedy are served again',
      async () => (await client.get(images, call)).status === 200,
    );
  }
});
