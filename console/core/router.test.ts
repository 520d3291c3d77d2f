import '../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageAt, pages, pagesOf } from '../pages';
import { hrefOf, match } from './router';

test('a path has the values of the names of its pattern', () => {
  assert.deepEqual(match('/users/:user/library', '/users/u%20%2F1/library'), { user: 'u /1' });
  assert.deepEqual(match('/map', '/map'), {});
  for (const path of ['/users/u', '/users/u/library/x', '/users/u/libraries']) {
    assert.equal(match('/users/:user/library', path), undefined, path);
  }
});

test('what is no percent-encoded UTF-8 is at no page', () => {
  for (const path of ['/library/images/%E0', '/users/%ff/library', '/%']) {
    assert.equal(pageAt(path), undefined, path);
  }
});

test('each page is found at its own path, and is there for tokens that have a page to begin with', () => {
  for (const page of pages) {
    assert.equal(pageAt(page.path.replaceAll(':', ''))?.page, page, page.path);
  }
  const start = (['admin', 'platform', 'user'] as const).map((scope) => pagesOf(scope)[0]?.path);
  assert.deepEqual(start, ['/overview', '/users', '/library']);
  assert.equal(hrefOf('/map?at=1'), '/console/map?at=1');
});
