import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AllowedIps, numericHost } from './outgoing.js';

const refused = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'unique local': ['fc00::1', 'fd12:3456::1', 'fd00:ec2::254'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fec0::1'],
  metadata: ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
  broadcast: ['255.255.255.255'],
  'IPv4 within IPv6': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', '::7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  tunnels: ['2002:7f00:1::', '2001:0:7f00:1::'],
  'shared and reserved': ['100.64.0.1', '198.18.0.1', '240.0.0.1', '2001:db8::1', '4000::1'],
  'not an IP': ['', 'localhost', 'example.com'],
};

describe('target IPs', () => {
  const publicOnly = new AllowedIps([]);

  for (const [range, ips] of Object.entries(refused)) {
    test(`${range}: refused`, () => {
      for (const ip of ips) assert.equal(publicOnly.allows(ip), false, ip);
    });
  }

  test('public ones are allowed', () => {
    for (const ip of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '172.32.0.1']) {
      assert.equal(publicOnly.allows(ip), true, ip);
    }
  });

  test('those in listed networks are allowed, but not those next to them', () => {
    const some = new AllowedIps(['10.1.0.0/16', 'fd00:1::/32']);
    for (const ip of ['10.1.255.255', '::ffff:10.1.0.1', 'fd00:1::5']) {
      assert.equal(some.allows(ip), true, ip);
    }
    for (const ip of ['10.2.0.1', 'fd00:2::5', '127.0.0.1']) {
      assert.equal(some.allows(ip), false, ip);
    }
  });

  test('IPs in URLs are recognized in every notation', () => {
    const loopback = ['127.0.0.1', '2130706433', '0x7f000001', '0177.1', '127.1', '127.0.0.1.'];
    for (const host of loopback) {
      assert.equal(numericHost(new URL(`http://${host}/`)), '127.0.0.1', host);
    }
    assert.equal(numericHost(new URL('http://[::1]:8080/')), '::1');
    assert.equal(numericHost(new URL('http://[::127.0.0.1]/')), '::7f00:1');
    assert.equal(numericHost(new URL('http://example.com/')), undefined);
  });
});
