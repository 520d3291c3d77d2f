import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { optionKeys, options } from './options.js';
import * as schemas from './setting.js';
import { expectationOf, fallbackOf, metavarOf, type Setting } from './setting.js';

/** The values as parsed by a schema, in order. */
const read = (schema: z.ZodType, ...given: unknown[]): unknown[] =>
  given.map((one) => schema.parse(one));

/** Verifies that a schema rejects each of these, and says what it expects. */
function refuses(schema: z.ZodType, expected: string, ...given: unknown[]): void {
  for (const one of given) {
    const { error } = schema.safeParse(one);
    assert.equal(error && expectationOf(error), expected, JSON.stringify(one));
  }
}

test('text is a trimmed scalar', () => {
  assert.deepEqual(read(schemas.text(), ' a b ', 12, true), ['a b', '12', 'true']);
  refuses(schemas.text(), 'not empty', '', ' \n');
  refuses(schemas.text(), 'a single value', [], ['a'], {});
});

test('numbers are read from text, within their bounds', () => {
  assert.deepEqual(read(schemas.number(0.5, 10), '0.5', ' 10 ', 7, '1e1'), [0.5, 10, 7, 10]);
  const expected = 'a number from 0.5 to 10';
  refuses(schemas.number(0.5, 10), expected, '', 'many', '0.49', 11, NaN, Infinity, true);
  assert.deepEqual(read(schemas.wholeNumber(0, 10), '0', 10), [0, 10]);
  refuses(schemas.wholeNumber(0, 10), 'a whole number from 0 to 10', '', '1.5', -1, '11', 'x');
});

test('a duration has a unit or is in seconds', () => {
  const given = ['90s', '30m', '12h', '90d', '45', 45, ' 1m '];
  assert.deepEqual(read(schemas.duration, ...given), [90, 1800, 43_200, 7_776_000, 45, 45, 60]);
  for (const text of ['90s', '30m', '12h', '90d', '1s', '61s', '25h', '1d']) {
    assert.equal(schemas.durationText(schemas.duration.parse(text)), text);
  }
  assert.equal(schemas.durationText(schemas.duration.parse('3600')), '1h');
  const expected = 'a duration such as 90s, 30m, 12h or 90d';
  refuses(schemas.duration, expected, '', '0', '0d', '1.5h', '-1', '1w', 'm', '9999999999');
});

test('an amount of bytes has a unit or is in bytes', () => {
  const given = ['1KB', '20GB', ' 3mb ', '1TB', '0', 77];
  const bytes = [1024, 21_474_836_480, 3_145_728, 1_099_511_627_776, 0, 77];
  assert.deepEqual(read(schemas.byteSize, ...given), bytes);
  const shown = schemas.byteSize.meta()?.shown as (bytes: number) => string;
  assert.deepEqual(bytes.map(shown), ['1KB', '20GB', '3MB', '1TB', '0', '77']);
  refuses(schemas.byteSize, 'a size such as 500MB, 20GB or 1TB', '', '1.5GB', '-1', '2PB', 'GB');
});

test('a choice is one of its words', () => {
  const level = schemas.oneOf('error', 'warn');
  assert.deepEqual(read(level, 'error', ' warn '), ['error', 'warn']);
  refuses(level, 'one of error, warn', '', 'Error', 'info');
});

test('an issuer is https, or this machine', () => {
  const good = ['https://a.example', 'https://a.example/realms/x/', 'http://127.0.0.1:8080/x'];
  assert.deepEqual(read(schemas.issuerUrl, ...good), good);
  const bad = [
    'a.example',
    'http://a.example',
    'http://localhost',
    'https://a.example/?x',
    'ftp://a',
  ];
  for (const one of [...bad, 'https://u:p@a.example', 'https://a.example/#x', '']) {
    assert.ok(!schemas.issuerUrl.safeParse(one).success, one);
  }
});

test('a claim has a value, and maybe a platform', () => {
  const id = '0199b1a2-7c3e-7d52-8a3c-1f4b01c39e66';
  const claims = ['groups=a', 'groups=cn=a:b', 'https://a.example/roles=x y'];
  assert.deepEqual(read(schemas.claimValue, ...claims), claims);
  const ofPlatforms = claims.map((claim) => `${claim}:${id}`);
  assert.deepEqual(read(schemas.claimOfPlatform, ...ofPlatforms), ofPlatforms);
  const expected = 'a claim and its value, such as groups=imgstore-admins';
  refuses(schemas.claimValue, expected, 'groups', '=a', 'groups=', 'a b=c');
  for (const one of [id, `groups=a:${id}x`, `groups=:${id}`, 'groups=a:', `a:${id}`]) {
    assert.ok(!schemas.claimOfPlatform.safeParse(one).success, one);
  }
});

test('a list is one of YAML, or text with commas', () => {
  const names = schemas.list(schemas.text());
  assert.deepEqual(read(names, 'a, b,,', ['a ', '', 5], '', [], 5), [
    ['a', 'b'],
    ['a', '5'],
    [],
    [],
    ['5'],
  ]);
  const origins = schemas.list(schemas.webOrigin);
  assert.deepEqual(read(origins, '*', 'https://a.example,http://b'), [
    ['*'],
    ['https://a.example', 'http://b'],
  ]);
  const apps = ['capacitor://localhost', 'ionic://localhost', 'tauri://localhost'];
  const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
  assert.deepEqual(read(origins, [...apps, extension]), [[...apps, extension]]);
  assert.deepEqual(
    read(origins, 'HTTPS://App.Example:443/', 'http://a:80,http://b:8080', 'https://서울.kr'),
    [['https://app.example'], ['http://a', 'http://b:8080'], ['https://xn--2i4bq6h.kr']],
    'as browsers send them',
  );
  const expected =
    'a list in which each value is an origin of scheme, host and port alone, such as https://app.example, capacitor://localhost or chrome-extension://ID';
  refuses(origins, expected, 'a.example', ['*', '**'], 'https://a.example,ftp://b', 'null');
  refuses(origins, expected, 'https://a/b', 'https://a?b', 'https://me@a', 'https://*.a.example');
});

test('a URL has the scheme that its server speaks', () => {
  const endpoints = ['http://10.0.0.1:80/', 'https://a/storage/v1/s3'];
  assert.deepEqual(read(schemas.endpointUrl, ...endpoints), endpoints);
  const server = 'a URL of scheme, host, port, and path alone, such as https://s3.example.com';
  assert.deepEqual(read(schemas.endpointUrl, 'HTTPS://A.Example:80/App'), [
    'https://a.example:80/App',
  ]);
  refuses(schemas.endpointUrl, server, 'https://a and blanks', 'https://a/and blanks', 'https://');
  refuses(schemas.endpointUrl, server, 'http://a//b', 'http://a?b', 'http://me@a', 'a', 'ftp://a');
  const socket = 'postgresql://me@/db?host=/run/postgresql';
  assert.deepEqual(read(schemas.postgresUrl, socket, 'postgres://a'), [socket, 'postgres://a']);
  refuses(schemas.postgresUrl, 'a URL that starts with postgresql://', 'mysql://a', 'postgresql:');
});

test('a database URL may name several hosts, as libpq does; the URL of a replica only one', () => {
  const wanted = '?target_session_attrs=read-write';
  const several = [
    `postgresql://u:p,q@a,b:5433/d${wanted}`,
    `postgresql://[::1]:5432,10.0.0.1/d${wanted}&sslmode=require`,
  ];
  assert.deepEqual(read(schemas.postgresUrl, ...several), several);
  const expected =
    'like postgresql://USER:PASSWORD@HOST1:5432,HOST2:5432/DATABASE?target_session_attrs=read-write if it names several hosts';
  refuses(
    schemas.postgresUrl,
    expected,
    'postgresql://a,b/d',
    'postgresql://a,b/d?target_session_attrs=any',
    `postgresql://a,/d${wanted}`,
    `postgresql://a:x,b/d${wanted}`,
    `postgresql://a,b/d${wanted}&port=5433`,
    `postgresql:///d${wanted}&host=a,b`,
  );
  refuses(schemas.replicaUrl, 'a URL that names one host', ...several);
});

test('accepts networks, with the length of their prefix', () => {
  const networks = ['10.1.0.0/16', '0.0.0.0/0', '192.168.1.1/32', 'fd00:1::/64', '::1/128'];
  assert.deepEqual(read(schemas.network, ...networks), networks);
  const expected = 'an IP range such as 10.1.0.0/16 or fd00:1::/64';
  refuses(schemas.network, expected, '10.1.0.0', '10.1/16', '10.1.0.0/33', 'fd00::/129', 'a/8');
  refuses(schemas.network, expected, 'fe80::1%eth0/64', '10.1.0.0/-1', '/8');
});

test('accepts true and false, in either case', () => {
  assert.deepEqual(read(schemas.flag, 'true', 'False', true, false), [true, false, true, false]);
  refuses(schemas.flag, 'true or false', 'yes', '1', 'maybe');
});

test('accepts time zones that Node and PostgreSQL interpret alike, and no others', () => {
  const zones = ['UTC', 'Asia/Seoul', 'America/Indiana/Knox', 'Etc/GMT+9'];
  assert.deepEqual(read(schemas.timeZone, ...zones), zones);
  const former = ['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires', 'US/Pacific'];
  assert.deepEqual(
    read(schemas.timeZone, ...former),
    ['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'America/Los_Angeles'],
    'by the names that every PostgreSQL knows',
  );
  const current = ['Asia/Kolkata', 'America/Argentina/Buenos_Aires'];
  assert.deepEqual(read(schemas.timeZone, ...current), current);
  const ambiguous = ['CET', 'EET', 'MET', 'WET', 'EST', 'MST7MDT', 'GMT', 'Zulu'];
  const offsets = ['+09:00', '-0300', 'UTC+9', 'KST-9', 'EST5EDT,M3.2.0,M11.1.0', '<+09>-9'];
  const expected = 'an IANA time zone with its region, such as Asia/Seoul, or UTC';
  refuses(schemas.timeZone, expected, ...ambiguous, ...offsets);
  refuses(schemas.timeZone, expected, 'Mars/Olympus', 'posix/Asia/Seoul', 'Asia/');
});

test('every setting accepts its own default, and describes its values', () => {
  for (const key of optionKeys) {
    const setting: Setting = options[key];
    const fallback = fallbackOf(setting);
    if (fallback !== undefined) assert.doesNotThrow(() => setting.schema.parse(fallback), key);
    assert.notEqual(metavarOf(setting), 'value', key);
  }
});
