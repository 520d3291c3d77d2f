import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { appliance, serve } from '../../testkit/appliance.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { jpeg } from '../../testkit/pictures.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import { eventually } from '../../testkit/eventually.js';
import { halfAnUpload } from './half-upload.js';

const clients = 8;

/** Results of one client that keeps its connection open as long as the service allows. */
interface Seen {
  /** Complete responses. */
  whole: number;
  /** Responses, and requests on a reused connection, that were cut off. */
  readonly broken: string[];
  /** By connection: whether its latest response had "Connection: close". */
  readonly last: Map<Socket, boolean>;
}

/** The maximum time that a service takes to end, in milliseconds. */
const patienceMs = 60_000;

/** Sends requests repeatedly until connections are refused. */
async function askUntilGone(url: string): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: Seen = { whole: 0, broken: [], last: new Map() };
  for (const limit = Date.now() + patienceMs; Date.now() < limit;) {
    const asked = request(new URL('/openapi.json', url), { agent }).end();
    let answer: IncomingMessage | undefined;
    try {
      [answer] = (await once(asked, 'response')) as [IncomingMessage];
      seen.last.set(answer.socket, answer.headers.connection === 'close');
      for await (const chunk of answer) void chunk;
      seen.whole += 1;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') {
        agent.destroy();
        return seen;
      }
      // Others do not count: closing the listener resets new connections that are not accepted yet.
      if (asked.reusedSocket || answer) seen.broken.push(code);
    }
  }
  throw new Error('somebody listens still');
}

test('stopping under load: no response is cut off, and the last one of each connection says so', async (t) => {
  const { home } = await initializedHome(t);
  const serving = await serve(t, home);
  const { url } = serving;
  const asking = Array.from({ length: clients }, () => askUntilGone(url));
  const watching = readinessUntilGone(url);
  await serving.client.raw('GET', '/openapi.json');
  assert.equal(await serving.end(), 0, serving.log);
  for (const { whole, broken, last } of await Promise.all(asking)) {
    assert.ok(whole > 0);
    assert.deepEqual(broken, []);
    assert.deepEqual(new Set(last.values()), new Set([true]));
  }
  const statuses = await watching;
  assert.equal(statuses.at(0), 200);
  assert.equal(statuses.at(-1), 503, 'it was not ready any more before it stopped listening');
});

/** The statuses of `/readyz` on new connections, until connections are refused. */
async function readinessUntilGone(url: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const limit = Date.now() + patienceMs; Date.now() < limit;) {
    const agent = new Agent({ keepAlive: false });
    const asked = request(new URL('/readyz', url), { agent }).end();
    try {
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      statuses.push(answer.statusCode ?? 0);
      await once(answer, 'close');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return statuses;
    }
  }
  throw new Error('somebody listens still');
}

test('idle connections do not delay the shutdown', async (t) => {
  const serving = await appliance(t);
  const { url } = serving;
  const { finish } = await halfAnUpload(
    serving,
    await jpeg({ width: 1500, height: 1100 }),
    serving.user,
  );
  const silent = await dial(url);
  const halfway = await dial(url);
  halfway.write('GET /livez HTTP/1.1\r\nHo');
  const idle = await dial(url);
  let text = '';
  idle.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  idle.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually('it is answered', async () => answersIn(text).length === 1);
  for (const socket of [silent, halfway]) socket.resume();
  const ended = serving.end();
  await Promise.all([silent, halfway, idle].map(closed));
  assert.equal((await finish()).status, 200, 'the upload goes on meanwhile');
  assert.equal(await ended, 0);
});
