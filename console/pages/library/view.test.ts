import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allImages, filtersIn, isPlainFolder, queryOf, viewOf } from './view';

const full =
  '?folder=f&below=1&trash=1&q=gate+%26+door&in=memo&detailed=None&placed=False&camera=Canon+40D&set=s&key=floor&value=3&from=2024-05-01&to=2024-05-31&sort=uploaded&circle=37.5,127,500';

test('the address of a view is read as it was written', () => {
  assert.deepEqual(viewOf(''), { ...allImages, folder: undefined });
  assert.equal(queryOf(allImages), '');
  assert.equal(queryOf(viewOf(full)), full);
  for (const words of full.slice(1).split(/&(?!below|in|value)/)) {
    assert.equal(queryOf(viewOf(`?${words}`)), `?${words}`);
  }
});

test('what an address cannot mean is left out', () => {
  const strange =
    '?below=1&in=memo&detailed=yes&placed=1&value=3&from=20240501&to=2024-5-31&in=x&circle=37.5,197,500';
  assert.equal(queryOf(viewOf(strange)), '');
});

test('filters are counted, a value with its key; a folder by itself is none', () => {
  assert.equal(filtersIn(viewOf(full)), 8);
  assert.equal(filtersIn(viewOf('?folder=f&below=1&q=gate')), 0);
  assert.ok(isPlainFolder(viewOf('?folder=root')));
  for (const more of ['below=1', 'q=gate', 'placed=True', 'key=floor']) {
    assert.ok(!isPlainFolder(viewOf(`?folder=root&${more}`)), more);
  }
  assert.ok(!isPlainFolder(allImages));
});
