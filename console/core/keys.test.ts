import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortcutOf } from './keys';

test('a shortcut is the same key in every script, and the letter of its own layout', () => {
  const m = { code: 'KeyM', shiftKey: false };
  assert.equal(shortcutOf({ ...m, key: 'm' }), 'm');
  assert.equal(shortcutOf({ ...m, key: 'ㅡ' }), 'm');
  assert.equal(shortcutOf({ ...m, key: 'Process' }), 'm');
  assert.equal(shortcutOf({ code: 'KeyZ', shiftKey: true, key: 'ㅋ' }), 'Z');
  // Dvorak.
  assert.equal(shortcutOf({ code: 'KeyJ', shiftKey: false, key: 'h' }), 'h');
  assert.equal(shortcutOf({ code: 'ArrowLeft', shiftKey: false, key: 'ArrowLeft' }), 'ArrowLeft');
});
