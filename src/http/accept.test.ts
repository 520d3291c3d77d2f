import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedCoding, prefersToJson } from './accept.js';

test('the coding that a client likes best is used, whatever the case and order', () => {
  const cases: [header: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=0.5, Br;q=0.2', 'gzip'],
    ['gzip ; q = 1.0 , br;q=1', 'br'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['br;q=0.000', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip, identity;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0.1', 'gzip'],
    ['*;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['zstd', undefined],
    ['brotli, gzipped', undefined],
    ['gzip;q=x', undefined],
  ];
  for (const [header, coding] of cases) {
    assert.equal(acceptedCoding(header, ['br', 'gzip']), coding, header);
  }
});

test('a media type is preferred to JSON if it is named, and liked no less', () => {
  const type = 'text/event-stream';
  for (const header of [type, 'Text/Event-Stream;q=0.1, */*', `application/json, ${type}`]) {
    assert.equal(prefersToJson(header, type), true, header);
  }
  for (const header of [undefined, '*/*', `${type};q=0`, `${type};q=0.5, application/json`]) {
    assert.equal(prefersToJson(header, type), false, header);
  }
});
