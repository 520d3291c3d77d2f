import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.js';

/** The lines written to a text log. */
function written(act: (logger: ReturnType<typeof createLogger>) => void): string {
  const logger = createLogger({ level: 'debug', format: 'text' });
  let said = '';
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    said += String(chunk);
    return true;
  };
  try {
    act(logger);
  } finally {
    process.stderr.write = write;
  }
  return said;
}

test('a text log entry is one line, whatever its message and fields contain', () => {
  const forged =
    'VipsJpeg: bad\r\n2026-01-01T00:00:00Z info all is well\u0085\u2028\u001b[2J\u009b';
  const said = written((logger) => {
    logger.info(`picture refused ${forged}`, { reason: forged, error: new Error(forged) });
  });
  assert.equal(said.trimEnd().split(/[\n\r\u0085\u2028]/).length, 1);
  assert.doesNotMatch(said.trimEnd(), /\p{Cc}/u);
  assert.ok(said.includes('reason=VipsJpeg: bad\\r\\n2026-01-01'));
});

test('a stack trace follows its entry, indented so that it does not look like entries', () => {
  const said = written((logger) => logger.error(new Error('one\n2026-01-01T00:00:00Z info two')));
  const [, ...rest] = said.trimEnd().split('\n');
  assert.ok(rest.length > 1);
  for (const row of rest) assert.match(row, /^ {4}/);
});
