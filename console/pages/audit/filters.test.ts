import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, filtersOf, queryOf } from './filters';

test('the address of the audit is read as it was written', () => {
  assert.deepEqual(filtersOf(''), everything);
  assert.equal(queryOf(everything), '');
  const full =
    '?platform=p&user=u&from=2024-05-01&to=2024-05-31&actor=admin&act=user.suspend&content=1';
  assert.equal(queryOf(filtersOf(full)), full);
  for (const words of full.slice(1).split('&')) {
    assert.equal(queryOf(filtersOf(`?${words}`)), `?${words}`);
  }
});
