import '../testing/browser';
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import * as amounts from './amounts';
import { chooseLanguage, t } from './i18n';

describe('amounts and times', () => {
  afterEach(() => chooseLanguage('en'));

  test('megabytes are said in the unit that fits, in the format of the reader', () => {
    const sizes = [0, 0.5, 1, 1_023.96, 1_024, 1_536, 1_048_576 * 1.25];
    assert.deepEqual(sizes.map(amounts.size), [
      '0 MB',
      '512 KB',
      '1 MB',
      '1,024 MB',
      '1 GB',
      '1.5 GB',
      '1.25 TB',
    ]);
    assert.equal(amounts.wholeNumber(1_234_567), '1,234,567');
  });

  test('days and times are those that the service gives, wherever the reader is', () => {
    assert.match(amounts.time('20250131_233015'), /^Jan 31, 2025, 11:30\sPM$/);
    assert.equal(amounts.day(20250131), 'Jan 31, 2025');
    assert.equal(amounts.weekday('20250131'), 'Fri, Jan 31, 2025');
    assert.equal(amounts.month('20250131'), 'Jan 2025');
    assert.match(amounts.days('20250130', '20250202'), /^Jan 30\s–\sFeb 2, 2025$/);
    assert.match(amounts.days('20241231', '20250202'), /^Dec 2024\s–\sFeb 2025$/);
    chooseLanguage('ko');
    assert.equal(amounts.day('20250131'), '2025.\u00a01.\u00a031.');
  });

  test('how long ago and how long are said in the largest whole unit', () => {
    const now = '20250131_120000';
    assert.equal(amounts.secondsBetween('20250131_115930', now), 30);
    assert.deepEqual(
      [
        '20250131_115930',
        '20250131_115900',
        '20250131_090100',
        '20250130_120000',
        '20250128_120000',
      ].map((stamp) => amounts.ago(stamp, now)),
      ['30 seconds ago', '1 minute ago', '2 hours ago', 'yesterday', '3 days ago'],
    );
    assert.deepEqual([59, 3_599, 90_000].map(amounts.span), ['59 seconds', '59 minutes', '1 day']);
  });

  test('a message has the form of its count, and its values in the format of the reader', () => {
    assert.equal(t('library.count', { count: 1 }), '1 item');
    assert.equal(t('library.count', { count: 0 }), '0 items');
    assert.equal(t('library.count', { count: 12_000 }), '12,000 items');
    chooseLanguage('ko');
    assert.equal(
      t('library.count', { count: 1 }).replace('1', 'n'),
      t('library.count', { count: 2 }).replace('2', 'n'),
    );
  });
});
