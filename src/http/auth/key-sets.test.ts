import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { ServiceError } from '../../base/errors/catalogue.js';
import { hourMs, minuteMs, secondMs } from '../../base/units.js';
import { eventually } from '../../../testkit/eventually.js';
import { Issuer, KeyHost } from '../../../testkit/issuer.js';
import { resolveName, Targets } from '../outgoing.js';
import { KeySets, readKeySet, usableKeys } from './key-sets.js';

const targets = new Targets('identity', {
  'identity.allow_http': true,
  'identity.allow_networks': ['127.0.0.0/8'],
});
const outgoing = { targets, resolve: resolveName };
const [first, second] = await Promise.all([
  Issuer.of('a', { alg: 'ES256', kid: 'k1' }),
  Issuer.of('a', { alg: 'ES256', kid: 'k2' }),
]);

/** Key sets on a clock that can be set, and the host of one of them. */
async function keySets(t: TestContext) {
  const host = await KeyHost.start(t);
  host.serve(first);
  const clock = { ms: 0, waited: 0 };
  const wait = (ms: number): Promise<void> => {
    clock.waited += ms;
    clock.ms += ms;
    return Promise.resolve();
  };
  const sets = new KeySets(outgoing, { now: () => clock.ms, wait });
  const source = { platformId: 'p', id: 'i', jwksUrl: host.url, jwks: null };
  const kids = async (): Promise<unknown[]> =>
    (await sets.current(source)).keys.map(({ kid }) => kid);
  return { host, clock, sets, source, kids };
}

const down = (host: KeyHost): void => host.answer((response) => response.writeHead(500).end());

describe('key sets', () => {
  test('may have entries that are no keys, which are left out', () => {
    const found = usableKeys({ keys: [null, 'key', 5, [], {}, first.jwk] });
    assert.deepEqual(Array.isArray(found) && found.map(({ kid }: { kid?: string }) => kid), ['k1']);
  });

  test('are read once by many at a time, and kept for ten minutes', async (t) => {
    const { host, clock, sets, source, kids } = await keySets(t);
    const found = await Promise.all(Array.from({ length: 20 }, () => sets.current(source)));
    assert.equal(new Set(found).size, 1);
    host.serve(second);
    clock.ms = 10 * minuteMs - 1;
    assert.deepEqual(await kids(), ['k1']);
    assert.equal(host.asked, 1);
    clock.ms = 10 * minuteMs;
    assert.deepEqual(await kids(), ['k2'], 'a key that was taken out is not used any more');
    assert.equal(host.asked, 2);
  });

  test('are the same object until they change', async (t) => {
    const { host, clock, sets, source } = await keySets(t);
    const before = await sets.current(source);
    clock.ms = 10 * minuteMs;
    assert.equal(await sets.current(source), before);
    assert.equal(host.asked, 2);
  });

  test('are read again for an unknown key, at most every ten seconds', async (t) => {
    const { host, clock, sets, source } = await keySets(t);
    const before = await sets.current(source);
    clock.ms = 4 * secondMs;
    host.serve(first, second);
    const [one, two] = await Promise.all([sets.renewed(source), sets.renewed(source)]);
    assert.equal(clock.waited, 6 * secondMs, 'they wait together');
    assert.notEqual(one, before);
    assert.deepEqual([one.keys.length, one], [2, two]);
    assert.equal(host.asked, 2);
    clock.ms += 10 * secondMs;
    assert.equal(await sets.renewed(source), one);
    assert.deepEqual([host.asked, clock.waited], [3, 6 * secondMs]);
  });

  test('outlast their host by an hour, unnoticed, and say so after two', async (t) => {
    const { host, clock, sets, source, kids } = await keySets(t);
    await kids();
    down(host);
    for (let minute = 0; minute <= 60; minute += 1) {
      clock.ms = minute * minuteMs;
      assert.deepEqual(await kids(), ['k1'], `minute ${minute}`);
    }
    clock.ms = 2 * hourMs;
    await assert.rejects(sets.current(source), (error: ServiceError) => {
      assert.equal(error.code, 'unauthorized');
      assert.match(error.message, /cannot be read: its host answers 500/);
      return true;
    });
    // The first may have waited for a reading that began before.
    await assert.rejects(sets.current(source));
    const asked = host.asked;
    await assert.rejects(sets.current(source));
    assert.equal(host.asked, asked, 'not more often than every ten seconds');
    host.serve(second);
    clock.ms += 10 * secondMs;
    assert.deepEqual(await kids(), ['k2']);
  });

  test('nobody waits for a host that hangs while old keys are good, or for that of another', async (t) => {
    const { host, clock, sets, source, kids } = await keySets(t);
    await kids();
    host.answer(() => undefined);
    clock.ms = 11 * minuteMs;
    const hanging = kids();
    const other = await keySets(t);
    const elsewhere = { ...source, platformId: 'q', jwksUrl: other.host.url };
    await sets.current(elsewhere);
    assert.deepEqual(await hanging, ['k1']);
    await eventually('the reading has been given up', async () => {
      const from = performance.now();
      assert.deepEqual(await kids(), ['k1']);
      return performance.now() - from < 500;
    });
  });

  test('of one platform are not those of another with the same URL', async (t) => {
    const { host, sets, source } = await keySets(t);
    await sets.current(source);
    await sets.current({ ...source, platformId: 'q' });
    assert.equal(host.asked, 2);
  });

  test('that came with the identity are not read', async () => {
    const sets = new KeySets(outgoing);
    const source = { platformId: 'p', id: 'i', jwksUrl: null, jwks: { keys: [first.jwk] } };
    const set = await sets.current(source);
    assert.equal(await sets.renewed(source), set);
    assert.notEqual(await sets.current({ ...source, id: 'j' }), set);
  });
});

describe('a reading', () => {
  let host: KeyHost;
  const read = () => readKeySet(host.url, outgoing);

  const answers: readonly (readonly [string, Parameters<KeyHost['answer']>[0], RegExp])[] = [
    ['a redirect', (r) => r.writeHead(302, { location: host.url }).end(), /its host answers 302/],
    ['404', (r) => r.writeHead(404).end(), /its host answers 404/],
    ['a page', (r) => r.end('<html>'), /must be a JSON object with a list of keys/],
    ['another object', (r) => r.end('{"keys":{}}'), /must be a JSON object with a list of keys/],
    [
      'no usable key',
      (r) => r.end('{"keys":[{"kty":"oct","k":"AA"}]}'),
      /public key for signatures/,
    ],
    [
      '10,000 keys',
      (r) => r.end(JSON.stringify({ keys: Array(10_000).fill(first.jwk) })),
      /at most 100 keys|larger than 1 MB/,
    ],
    ['10 MB', (r) => r.end(`{"x":"${'x'.repeat(10 * 1024 ** 2)}","keys":[]}`), /larger than 1 MB/],
    ['nothing', () => undefined, /no answer within 5 s/],
    ['byte by byte', (r) => trickle(r), /no answer within 5 s/],
    [
      'half of it',
      (r) => r.writeHead(200, { 'content-length': '100' }).write('{"keys"', () => r.destroy()),
      /./,
    ],
  ];

  /** A byte each 100 ms: less than any limit between two bytes. */
  function trickle(response: Parameters<Parameters<KeyHost['answer']>[0]>[0]): void {
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  }

  for (const [what, answer, says] of answers) {
    test(`of ${what} fails, and says why`, async (t) => {
      host = await KeyHost.start(t);
      host.answer(answer);
      await assert.rejects(read(), (error: Error) => {
        assert.match(error.message, says);
        return true;
      });
      assert.equal(host.asked, 1);
    });
  }

  test('goes to the IP that was checked, not to where the name leads afterwards', async (t) => {
    host = await KeyHost.start(t);
    host.serve(first);
    const { port } = new URL(host.url);
    const closed = new Targets('identity', {
      'identity.allow_http': true,
      'identity.allow_networks': [],
    });
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const url = `http://keys.example:${port}/`;
    await assert.rejects(readKeySet(url, { targets: closed, resolve }), /identity\.allow_networks/);
    assert.equal((await readKeySet(url, { targets, resolve })).length, 1);
    assert.equal(host.asked, 1);
  });
});
