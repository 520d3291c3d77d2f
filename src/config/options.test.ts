import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options } from './options.js';

test('a time zone is one that Node and PostgreSQL understand alike', () => {
  const { timezone } = options;
  for (const zone of ['UTC', 'Asia/Seoul', 'America/Indiana/Knox', 'Etc/GMT+9']) {
    assert.equal(timezone.read(zone), zone);
  }
  const ambiguous = ['CET', 'EET', 'MET', 'WET', 'EST', 'MST7MDT', 'GMT', 'Zulu'];
  const offsets = ['+09:00', '-0300', 'UTC+9', 'KST-9', 'EST5EDT,M3.2.0,M11.1.0', '<+09>-9'];
  for (const zone of [...ambiguous, ...offsets, 'Mars/Olympus', 'posix/Asia/Seoul', 'Asia/']) {
    assert.throws(() => timezone.read(zone), /an IANA time zone with its region/, zone);
  }
});
