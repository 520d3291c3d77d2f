import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { OneShotHmac } from './signed-url.js';

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
