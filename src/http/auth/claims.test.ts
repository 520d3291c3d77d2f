import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestsOf } from '../../base/callers.js';
import { callerOf } from './claims.js';

test('work is charged to the user, else to the platform, else to the administrators; that of guests apart', () => {
  assert.equal(callerOf({ userId: 'u', platformId: 'p' }), 'u');
  assert.equal(callerOf({ platformId: 'p' }), 'p');
  assert.notEqual(callerOf({}), callerOf({ platformId: 'p' }));
  assert.equal(callerOf({ userId: 'u', platformId: 'p', linkedAt: 1 }), guestsOf('u'));
});
