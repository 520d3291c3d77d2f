import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitKey } from './host.js';

const cases: [string, string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['', ''],
];
for (const [ip, key] of cases) {
  test(`${ip || 'an unknown IP'} is counted as ${key || 'unknown'}`, () => {
    assert.equal(rateLimitKey(ip), key);
  });
}
