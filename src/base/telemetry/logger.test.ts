import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import winston from 'winston';
import { createLogger } from './logger.js';

/** How the logger renders a field. */
async function logged(value: string): Promise<string> {
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ level: 'info', format: 'json' });
  logger.clear().add(new winston.transports.Stream({ stream: lines }));
  const line = once(lines, 'data');
  logger.info('seen', { value });
  const [text] = (await line) as [string];
  return (JSON.parse(text) as { value: string }).value;
}

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-bmF0_dXJl';

describe('redaction', () => {
  for (const [what, given, shown] of [
    ['a token', `User ${jwt} sent`, 'User [redacted] sent'],
    ['a token with text attached to it', `token=x${jwt}`, 'token=[redacted]'],
    ['two tokens', `${jwt} ${jwt}`, '[redacted] [redacted]'],
    ['the signature of a URL', '/files/a?exp=1&sig=abc%2D1', '/files/a?exp=1&sig=[redacted]'],
    ['the password of a URL', 'postgresql://me:se:cret@db/x', 'postgresql://me:[redacted]@db/x'],
    ['nothing else', 'a.b.c 1.2.3 eyJ', 'a.b.c 1.2.3 eyJ'],
  ] as const) {
    test(`redacts ${what}`, async () => assert.equal(await logged(given), shown));
  }

  // Ratios within one run: an input ten times as long takes about ten times as long, not a hundred
  // times.
  for (const unit of ['eyJ', 'eyJa.', '://a:', 'eyJ-.eyJ', '?sig=', 'a:b@']) {
    test(`takes time proportional to the length of a text of ${unit}${unit}…`, async () => {
      const time = async (repeats: number): Promise<number> => {
        const text = unit.repeat(repeats);
        const began = performance.now();
        await logged(text);
        return performance.now() - began;
      };
      await time(1_000);
      const short = Math.max(20, Math.min(await time(20_000), await time(20_000)));
      assert.ok((await time(200_000)) < 50 * short);
    });
  }
});
