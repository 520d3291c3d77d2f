import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { SignedUrls, OneShotHmac } from './signed-url.js';

const secret = randomBytes(32);
const key = 'platform/user/image/0/original.jpg';

/** A signer whose clock reads `seconds`. */
const at = (seconds: number, ttlSeconds = 3600): SignedUrls =>
  new SignedUrls({ secret, ttlSeconds, now: () => seconds * 1000 });

function partsOf(url: string): { exp: string; sig: string } {
  const query = new URL(url, 'http://localhost').searchParams;
  return { exp: query.get('exp') ?? '', sig: query.get('sig') ?? '' };
}

describe('SignedUrls', () => {
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
    assert.deepEqual(at(0).verify(key, parts), { state: 'ok', secondsLeft: 4500, signedAt: 0 });
    assert.deepEqual(at(4499).verify(key, parts), { state: 'ok', secondsLeft: 1, signedAt: 0 });
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

  it('end when their owner does, and are the same again from then to the end of the window', () => {
    let [now, ended] = [100, -Infinity];
    const signer = new SignedUrls({
      secret,
      ttlSeconds: 3600,
      now: () => now * 1000,
      endedAt: (of) => (of.startsWith('platform/') ? ended : -Infinity),
    });
    const before = signer.sign(key);
    const stranger = signer.sign('another/user/image/version/original.jpg');
    ended = 150;
    now = 151;
    assert.deepEqual(signer.verify(key, partsOf(before)), { state: 'ended' });
    const after = signer.sign(key);
    assert.notEqual(after, before);
    assert.equal(signer.verify(key, partsOf(after)).state, 'ok');
    now = 899;
    assert.equal(signer.sign(key), after);
    assert.equal(signer.signIn(key.slice(0, -12), '')(key.slice(-12)), after);
    assert.equal(signer.sign('another/user/image/version/original.jpg'), stranger);
    now = 900;
    assert.equal(partsOf(signer.sign(key)).exp, '5400');
  });

  it('of an earlier release are valid until they expire', () => {
    const mac = createHmac('sha256', secret).update(`${key}\n4500\nimage/jpeg`);
    const sig = mac.digest('base64url');
    assert.deepEqual(at(0).verify(key, { exp: '4500', sig }), {
      state: 'ok',
      secondsLeft: 4500,
      signedAt: 0,
    });
    assert.deepEqual(at(4500).verify(key, { exp: '4500', sig }), { state: 'expired' });
    const tampered = { state: 'tampered' };
    assert.deepEqual(at(0).verify(key, { exp: '4501', sig }), tampered);
    assert.deepEqual(
      at(0).verify(key.replace('original', 'thumb'), { exp: '4500', sig }),
      tampered,
    );
    const changed = (sig.startsWith('A') ? 'B' : 'A') + sig.slice(1);
    assert.deepEqual(at(0).verify(key, { exp: '4500', sig: changed }), tampered);
  });

  it('give one object of a version, not the others', () => {
    const folder = 'platform/user/image/version';
    const names = ['original.jpg', 'display.jpg', 'thumb.jpg', 'original.webp', 'thumb.webp'];
    const others = ['other.jpg', 'other.webp', 'original', 'original.', 'other', 'other.', ''];
    const keys = [...names, ...others, 'version\nx\njpg'].map((name) => `${folder}/${name}`);
    keys.push(`${folder}2/thumb.jpg`, 'thumb.jpg', 'thumb', `${folder}/thumb.jpg/original.jpg`);
    for (const signed of keys) {
      const parts = partsOf(at(0).sign(signed));
      for (const wanted of keys) {
        const expected = wanted === signed ? 'ok' : 'tampered';
        assert.equal(at(0).verify(wanted, parts).state, expected, `${wanted} by ${signed}`);
      }
    }
  });

  it('do not depend on what was signed before', () => {
    const signer = at(0);
    for (let i = 0; i < 5000; i += 1) {
      for (const name of ['original.jpg', 'display.jpg', 'thumb.webp']) {
        const signed = `platform/user/image/${i % 4500}/${name}`;
        const url = signer.sign(signed);
        if (i % 50 === 0) assert.equal(url, at(0).sign(signed));
        if (i % 50 === 0) assert.equal(signer.verify(signed, partsOf(url)).state, 'ok');
      }
    }
  });

  it('are the same when they are signed folder by folder, even across the end of a window', () => {
    let now = 0;
    const signer = new SignedUrls({ secret, ttlSeconds: 3600, now: () => now });
    const folder = 'platform/user/image/version/';
    const names = ['original.jpg', 'display.jpg', 'thumb.webp', 'other.jpg', 'thumb'];
    const urls = names.map((name) => `https://images.example${signer.sign(folder + name)}`);
    const sign = signer.signIn(folder, 'https://images.example');
    now = 1e9;
    assert.notEqual(partsOf(signer.sign(folder)).exp, '4500');
    assert.deepEqual(
      names.map((name) => sign(name)),
      urls,
    );
  });

  it('with a name differ from those without, and by name', () => {
    const signer = at(0);
    const url = new URL(signer.sign(key, '사진 1.jpg'), 'http://localhost');
    assert.equal(url.searchParams.get('name'), '사진 1.jpg');
    const { exp, sig } = partsOf(url.href);
    const ok = { state: 'ok', secondsLeft: 4500, signedAt: 0, name: '사진 1.jpg' };
    assert.deepEqual(signer.verify(key, { exp, sig, name: '사진 1.jpg' }), ok);
    assert.deepEqual(at(4500).verify(key, { exp, sig, name: '사진 1.jpg' }), { state: 'expired' });
    const plain = partsOf(signer.sign(key));
    const others = [
      { exp, sig },
      { exp, sig, name: '사진 2.jpg' },
      { exp, sig, name: '' },
      { exp, sig, name: ['사진 1.jpg', '사진 1.jpg'] },
      { exp, sig, name: 'x'.repeat(100_000) },
      { ...plain, name: '사진 1.jpg' },
      { ...plain, name: '' },
    ];
    for (const query of others) assert.deepEqual(signer.verify(key, query), { state: 'tampered' });
    const line = partsOf(signer.sign(key, 'a\njpg'));
    assert.deepEqual(signer.verify(key, { ...line, name: 'a' }), { state: 'tampered' });
    const ended = new SignedUrls({ secret, ttlSeconds: 3600, now: () => 5000, endedAt: () => 2 });
    assert.deepEqual(ended.verify(key, { exp, sig, name: '사진 1.jpg' }), { state: 'ended' });
    const later = ended.sign(key, '사진 1.jpg');
    assert.notEqual(partsOf(later).sig, sig);
    const { state } = ended.verify(key, { ...partsOf(later), name: '사진 1.jpg' });
    assert.equal(state, 'ok');
  });

  it('are rejected rather than measured if key or expiry are too long, or not ASCII', () => {
    const { exp, sig } = partsOf(at(0).sign(key));
    const tampered = { state: 'tampered' };
    assert.deepEqual(at(0).verify('a'.repeat(100_000), { exp, sig }), tampered);
    assert.deepEqual(at(0).verify(key, { exp: '1'.repeat(100_000), sig }), tampered);
    // Its low byte is that of "o".
    assert.deepEqual(
      at(0).verify(key.replace('platform', 'platf\u016frm'), { exp, sig }),
      tampered,
    );
  });

  it('require a secret of sufficient length', () => {
    assert.throws(() => new SignedUrls({ secret: Buffer.alloc(31), ttlSeconds: 60 }), RangeError);
  });
});

test('digests are those of HMAC-SHA-512, for secrets and messages of every length', () => {
  for (let bytes = 0; bytes <= 128; bytes += 1) {
    const secret = randomBytes(bytes);
    const ours = new OneShotHmac(secret);
    for (const length of [0, 1, 111, 112, 127, 128, 129, 2_730, bytes]) {
      const message = randomBytes(length).toString('latin1').slice(1) + '여'.slice(0, length);
      const theirs = createHmac('sha512', secret).update(message).digest('base64url');
      assert.equal(ours.digest(message), theirs, `${bytes} and ${length} bytes`);
    }
  }
});

test('a message or a secret that is too long is rejected, not truncated', () => {
  assert.throws(() => new OneShotHmac(Buffer.alloc(129)), RangeError);
  assert.throws(() => new OneShotHmac(Buffer.alloc(32)).digest('a'.repeat(2_731)), RangeError);
});
