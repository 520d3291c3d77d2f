import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actsOf } from './audit';
import type { AuditEntry } from './audit';

const entry = (at: string, act: string, token_id: string | null = 't'): AuditEntry => ({
  at,
  act,
  actor: 'user',
  operator: null,
  token_id,
  token: null,
  platform_id: 'p',
  platform: 'P',
  user_id: 'u',
  platform_user_id: 'U',
  details: null,
});

test('what one did to several things in one go is one act', () => {
  const entries = [
    entry('20250102_000010', 'image.moved'),
    entry('20250102_000009', 'image.moved'),
    entry('20250102_000009', 'image.moved', 'another'),
    entry('20250102_000009', 'folder.moved'),
    entry('20250102_000009', 'image.moved'),
    entry('20250101_235959', 'image.moved'),
    entry('20250101_235800', 'image.moved'),
  ];
  assert.deepEqual(
    actsOf(entries).map((act) => act.entries.length),
    [2, 1, 1, 1, 1, 1],
  );
  assert.equal(actsOf(entries)[0]?.entry, entries[0]);
});
