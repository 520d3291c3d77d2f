import assert from 'node:assert/strict';

/** In a shown answer: there are more fields. */
const more = '…';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fails unless an answer has the shown fields with the shown types. */
export function assertShape(shown: unknown, actual: unknown, at = 'answer'): void {
  if (shown === null || actual === null) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), `${at} is a list`);
    assert.ok(actual.length >= shown.length, `${at} has ${actual.length} elements`);
    for (const [index, one] of shown.entries()) assertShape(one, actual[index], `${at}[${index}]`);
  } else if (isFields(shown)) {
    assert.ok(isFields(actual), `${at} is an object`);
    const names = Object.keys(shown).filter((name) => name !== more);
    const others = more in shown ? names : Object.keys(actual);
    assert.deepEqual([...names].sort(), [...others].sort(), at);
    for (const name of names) {
      assert.ok(name in actual, `${at}.${name}`);
      assertShape(shown[name], actual[name], `${at}.${name}`);
    }
  } else assert.equal(typeof actual, typeof shown, at);
}

/** The answer to show, with the fields that were shown before. */
export function abridged(shown: unknown, actual: unknown): unknown {
  if (Array.isArray(actual)) {
    const patterns: unknown[] = Array.isArray(shown) ? shown : [];
    const length = Array.isArray(shown) ? Math.max(shown.length, 1) : actual.length;
    return actual.slice(0, length).map((one) => abridged(patterns[0], one));
  }
  if (!isFields(actual)) return actual;
  const pattern = isFields(shown) ? shown : {};
  const names = more in pattern ? Object.keys(pattern) : Object.keys(actual);
  return Object.fromEntries(
    names.map((name) => [name, name === more ? more : abridged(pattern[name], actual[name])]),
  );
}
