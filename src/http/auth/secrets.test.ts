import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMasterKey } from './secrets.js';

test('a code of a record fits this record, label and key only', () => {
  const key = newMasterKey();
  const code = key.recordMac('label', 'record');
  assert.equal(key.isRecordMac('label', 'record', code), true);
  const others = [
    key.isRecordMac('label', 'other', code),
    key.isRecordMac('other', 'record', code),
    newMasterKey().isRecordMac('label', 'record', code),
    key.isRecordMac(
      'label',
      'record',
      code.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
    key.isRecordMac('label', 'record', code.slice(0, -1)),
    key.isRecordMac('label', 'record', ''),
    key.isRecordMac('label', 'record', undefined),
  ];
  assert.deepEqual(new Set(others), new Set([false]));
});
