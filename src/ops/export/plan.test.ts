import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportPaths, safeName } from './plan.js';

for (const [title, name] of [
  ['제주 여행', '제주 여행'],
  ['..', '_'],
  ['.hidden', '_.hidden'],
  ['a:b\\c*?', 'a_b_c__'],
  ['CON', '_CON'],
  ['com1.txt', '_com1.txt'],
  ['console', 'console'],
  ['ends. . ', 'ends'],
  ['가'.repeat(255), '가'.repeat(33)],
] as const) {
  test(`${title.slice(0, 20)} becomes ${name.slice(0, 20)}`, () => {
    assert.equal(safeName(title), name);
  });
}

const folder = (id: string, title: string, parent_id: string | null = null) => ({
  id,
  title,
  parent_id,
  user_id: '',
  created_at: '',
  updated_at: '',
  delete_at: null,
});

test('names that a file system may treat as equal are numbered', () => {
  const paths = new ExportPaths();
  for (const one of [folder('1', 'Trip'), folder('2', 'trip'), folder('3', 'Trip')]) paths.add(one);
  paths.add(folder('4', 'b', '2'));
  assert.deepEqual(
    ['1', '2', '3', '4'].map((id) => paths.of(id)),
    ['Trip/', 'trip (2)/', 'Trip (3)/', 'trip (2)/b/'],
  );
  assert.equal(paths.of(null), '');
});

test('a path that would be too long starts again at the top', () => {
  const paths = new ExportPaths();
  for (let n = 0; n < 64; n += 1) {
    paths.add(folder(`${n}`, 'x'.repeat(255), n === 0 ? null : `${n - 1}`));
    assert.ok(Buffer.byteLength(paths.of(`${n}`)) < 1_100);
  }
});
