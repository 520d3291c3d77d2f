import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainConnection } from './connection-error.js';
import { tlsMistake, withLibpqModes } from './tls.js';

test('only modes that enforce TLS, or disable it explicitly, are accepted', () => {
  for (const query of ['', '?sslmode=disable', '?sslmode=require', '?sslmode=verify-full']) {
    assert.equal(tlsMistake(`postgresql://a@b/c${query}`), undefined);
  }
  assert.equal(tlsMistake('postgresql://a@b/c?sslmode=verify-ca&sslrootcert=x'), undefined);
  assert.match(tlsMistake('postgresql://a@b/c?sslmode=verify-ca') ?? '', /needs sslrootcert=FILE/);
  for (const mode of ['prefer', 'allow', 'no-verify', 'REQUIRE', '']) {
    const mistake = tlsMistake(`postgresql://a@b/c?sslmode=${mode}`) ?? '';
    assert.match(mistake, /must be one of disable, require, verify-ca, verify-full/);
  }
  const mistake = tlsMistake('postgresql://a@b/c?sslkey=k&sslpassword=hush') ?? '';
  assert.match(mistake, /^sslpassword is not supported: .* sslkey=FILE$/);
  assert.doesNotMatch(mistake, /hush/);
});

test('a URL without a mode is unchanged; one with a mode is interpreted as by libpq', () => {
  for (const url of ['postgresql://a:b@c/d', 'postgresql://a@/d?host=%2Frun%2Fpg']) {
    assert.equal(withLibpqModes(url), url);
  }
  assert.equal(
    withLibpqModes('postgresql://a:b@c/d?sslmode=require&host=%2Frun'),
    'postgresql://a:b@c/d?sslmode=require&host=%2Frun&uselibpqcompat=true',
  );
  assert.equal(
    withLibpqModes('postgresql://c/d?sslmode=verify-full&sslrootcert=system'),
    'postgresql://c/d?sslmode=verify-full&uselibpqcompat=true',
  );
});

test('an expired certificate and a server that requires TLS have specific remedies', () => {
  const coded = (code: string) => Object.assign(new Error('no'), { code });
  const expired = explainConnection(coded('CERT_HAS_EXPIRED'));
  assert.deepEqual([expired.exitCode, expired.setting], [78, 'database.url']);
  assert.match(expired.remedy ?? '', /renew the server's certificate/);
  const plain = new Error('no pg_hba.conf entry for host "x", user "y", no encryption');
  assert.match(explainConnection(plain).remedy ?? '', /sslmode=require/);
});
