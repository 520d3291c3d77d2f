import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedPath } from './request-log.js';

test('the secret of a link is logged in no form of its path', () => {
  const secret = 'q2hVv0pXH4wJmXl1b8e3Zg';
  for (const [path, logged] of [
    [`/s/${secret}`, '/s/…'],
    [`/s/${secret}/`, '/s/…'],
    [`/S/${secret}`, '/S/…'],
    [`//s/${secret}`, '//s/…'],
    [`/s/${secret}/images`, '/s/…/images'],
    [`/s/${secret}/f/abc_-D`, '/s/…/f'],
    [`/s/${secret}/${secret}`, '/s/…'],
    [`/s/a/b/${secret}`, '/s/…/b'],
    ['/api/v1/s/x', '/api/v1/s/x'],
    ['/s', '/s'],
  ] as const) {
    assert.equal(loggedPath(path), logged);
  }
});
