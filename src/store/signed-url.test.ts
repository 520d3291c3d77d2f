import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { SignedUrls } from './signed-url.js';

const secret = randomBytes(32);
const key = 'platform/user/image/0/original.jpg';

/** A signer whose clock reads `seconds`. */
const at = (seconds: number, ttlSeconds = 3600): SignedUrls =>
  new SignedUrls({ secret, ttlSeconds, now: () => seconds * 1000 });

function partsOf(url: string): { exp: string; sig: string } {
  const query = new URL(url, 'http://localhost').searchParams;
  return { exp: query.get('exp') ?? '', sig: query.get('sig') ?? '' };
}

describe('SignedAddresses', () => {
  it('expire one lifetime after the end of their window', () => {
    assert.equal(partsOf(at(0).sign(key)).exp, '4500');
    assert.equal(partsOf(at(899.999).sign(key)).exp, '4500');
    assert.equal(partsOf(at(900).sign(key)).exp, '5400');
    assert.equal(partsOf(at(10, 1).sign(key)).exp, '12');
  });

  it('track the advancing clock', () => {
    let now = 0;
    const signer = new SignedUrls({ secret, ttlSeconds: 3600, now: () => now });
    const first = signer.sign(key);
    assert.equal(signer.sign(key), first);
    now = 900_000;
    assert.notEqual(signer.sign(key), first);
  });

  it('are valid until the second of their expiry', () => {
    const parts = partsOf(at(0).sign(key));
    assert.deepEqual(at(0).verify(key, parts), { state: 'ok', secondsLeft: 4500 });
    assert.deepEqual(at(4499).verify(key, parts), { state: 'ok', secondsLeft: 1 });
    assert.deepEqual(at(4500).verify(key, parts), { state: 'expired' });
  });

  it('are rejected if key, expiry, or signature differ in any way', () => {
    const { exp, sig } = partsOf(at(0).sign(key));
    const tampered = { state: 'tampered' };
    assert.deepEqual(at(0).verify(key.replace('.jpg', '.png'), { exp, sig }), tampered);
    assert.deepEqual(at(0).verify(key, { exp: '4501', sig }), tampered);
    assert.deepEqual(at(0).verify(key, { exp: '04500', sig }), tampered);
    assert.deepEqual(at(0).verify(key, { exp, sig: `${sig}=` }), tampered);
    assert.deepEqual(at(0).verify(key, { exp, sig: sig.slice(0, -1) }), tampered);
    for (let i = 0; i < sig.length; i += 1) {
      const changed = sig.slice(0, i) + (sig[i] === 'A' ? 'B' : 'A') + sig.slice(i + 1);
      assert.deepEqual(at(0).verify(key, { exp, sig: changed }), tampered);
    }
    assert.deepEqual(at(0).verify(key, {}), tampered);
    assert.deepEqual(at(0).verify(key, { exp: [exp, exp], sig }), tampered);
    const stranger = new SignedUrls({ secret: randomBytes(32), ttlSeconds: 3600 });
    assert.deepEqual(stranger.verify(key, { exp, sig }), tampered);
  });

  it('require a secret of sufficient length', () => {
    assert.throws(() => new SignedUrls({ secret: Buffer.alloc(31), ttlSeconds: 60 }), RangeError);
  });
});
