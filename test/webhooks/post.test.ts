import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { post, type DeliveryOutcome } from '../../src/feed/webhooks/message.js';
import { ipsInHostsFile, resolveName, type Resolve, Targets } from '../../src/http/outgoing.js';
import { eventually } from '../../testkit/eventually.js';
import { answer, Receiver } from '../../testkit/receiver.js';
import { targets } from '../../testkit/webhooks.js';

const never = new AbortController().signal;
const body = JSON.stringify({ type: 'x', timestamp: 'x', data: { user_id: 'u', seq: 1 } });

const send = (
  url: string,
  { resolve = resolveName, to = targets } = {},
): Promise<DeliveryOutcome> => post({ url, headers: {}, body }, { targets: to, resolve }, never);

/** A resolver that answers differently each time. */
const changing = (...answers: readonly (readonly string[])[]): Resolve => {
  let asked = 0;
  return async () => answers[Math.min((asked += 1), answers.length) - 1] ?? [];
};

const errorOf = (outcome: DeliveryOutcome): string => ('error' in outcome ? outcome.error : 'none');

describe('one attempt', () => {
  test('is a POST whose status counts', async (t) => {
    const receiver = await Receiver.start(t);
    for (const status of [200, 202, 204, 299, 400, 500]) {
      receiver.answering = answer(status);
      assert.deepEqual(await send(receiver.url), { status });
    }
    assert.equal(receiver.received[0]?.body, body);
  });

  test('follows no redirects', async (t) => {
    const [receiver, other] = [await Receiver.start(t), await Receiver.start(t)];
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answering = answer(status, { location: other.url });
      assert.deepEqual(await send(receiver.url), { status });
    }
    assert.equal(other.received.length, 0);
  });

  test('does not wait for an answer that never ends, nor read it', async (t) => {
    const receiver = await Receiver.start(t);
    let [written, closed] = [0, false];
    receiver.answering = (_event, response) => {
      const chunk = Buffer.alloc(65_536);
      response.writeHead(200, { 'content-length': String(100 * 1024 ** 2) });
      const more = (): void => {
        while (!closed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    };
    assert.deepEqual(await send(receiver.url), { status: 200 });
    await eventually('the connection is closed', () => closed);
    assert.ok(written < 50 * 1024 ** 2, `${written} bytes were written`);
  });

  test('fails if the answer is not HTTP, or the port is closed', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume(); // otherwise it would not notice the end
      socket.end('hello\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.ok('error' in (await send(`http://127.0.0.1:${port}/`)));
    server.close();
    await once(server, 'close');
    assert.match(errorOf(await send(`http://127.0.0.1:${port}/`)), /ECONNREFUSED/);
    const receiver = await Receiver.start(t);
    const outcome = await send(receiver.url.replace('http:', 'https:'));
    assert.ok('error' in outcome, 'nobody speaks TLS there');
    assert.equal(receiver.received.length, 0);
  });

  test('is aborted when the service stops', async (t) => {
    const receiver = await Receiver.start(t);
    const stopping = new AbortController();
    receiver.answering = () => stopping.abort();
    const posting = { targets, resolve: resolveName };
    const outcome = await post({ url: receiver.url, headers: {}, body }, posting, stopping.signal);
    assert.ok('error' in outcome);
  });
});

describe('where an attempt goes', () => {
  test('a name is resolved once, and the connection goes to the checked IP', async (t) => {
    const receiver = await Receiver.start(t);
    const url = `http://receiver.test:${receiver.port}/`;
    // Nothing listens at the IP of the second answer.
    const resolve = changing(['127.0.0.1'], ['127.9.9.9']);
    assert.deepEqual(await send(url, { resolve }), { status: 204 });
    assert.equal(receiver.received[0]?.headers.host, `receiver.test:${receiver.port}`);
    assert.match(errorOf(await send(url, { resolve })), /ECONNREFUSED 127\.9\.9\.9/);
  });

  test('a name that changes to a private IP is refused from then on', async (t) => {
    const receiver = await Receiver.start(t);
    const url = `http://receiver.test:${receiver.port}/`;
    const to = new Targets('webhooks', {
      'webhooks.allow_http': true,
      'webhooks.allow_networks': ['127.1.0.0/16'],
    });
    const resolve = changing(['127.1.0.1'], ['127.0.0.1']);
    assert.match(
      errorOf(await send(url, { resolve, to })),
      /ECONNREFUSED/,
      'allowed, nobody there',
    );
    assert.match(errorOf(await send(url, { resolve, to })), /resolves to an IP that is not public/);
    assert.equal(receiver.received.length, 0);
  });

  test('a name with one private IP among public ones is refused', async (t) => {
    const receiver = await Receiver.start(t);
    const url = `http://receiver.test:${receiver.port}/`;
    const to = new Targets('webhooks', {
      'webhooks.allow_http': true,
      'webhooks.allow_networks': [],
    });
    for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '169.254.169.254']) {
      const resolve = changing(['8.8.8.8', ip]);
      assert.match(errorOf(await send(url, { resolve, to })), /webhooks\.allow_networks/, ip);
    }
    assert.equal(receiver.received.length, 0);
  });

  test('localhost, private IPs and http are refused unless allowed', async (t) => {
    const receiver = await Receiver.start(t);
    const to = new Targets('webhooks', {
      'webhooks.allow_http': true,
      'webhooks.allow_networks': [],
    });
    const named = `http://localhost:${receiver.port}/`;
    assert.match(errorOf(await send(named, { to })), /resolves to an IP that is not public/);
    assert.match(errorOf(await send(receiver.url, { to })), /webhooks\.allow_networks/);
    const encrypted = new Targets('webhooks', {
      'webhooks.allow_http': false,
      'webhooks.allow_networks': ['127.0.0.0/8'],
    });
    assert.match(errorOf(await send(receiver.url, { to: encrypted })), /webhooks\.allow_http/);
    assert.equal(receiver.received.length, 0);
  });

  test('names of the hosts file are found, in either case', () => {
    const hosts = '127.0.0.1 localhost # x other\n::1\tLocalhost ip6\n# 10.0.0.1 localhost\n\n';
    assert.deepEqual(ipsInHostsFile(hosts, 'LOCALHOST'), ['127.0.0.1', '::1']);
    assert.deepEqual(ipsInHostsFile(hosts, 'other'), []);
    assert.deepEqual(ipsInHostsFile(hosts, ''), []);
  });
});
