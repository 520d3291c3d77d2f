import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import winston from 'winston';
import { endsSoon, eventually } from '../../../testkit/eventually.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { run } from '../os/run.js';
import { createLogger, followLevel, readLevel, redactText, LogOutput } from './logger.js';

/** The line that the logger writes for a field, in JSON. */
async function loggedLine(value: string): Promise<string> {
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ level: 'info', format: 'json' });
  logger.clear().add(new winston.transports.Stream({ stream: lines }));
  const line = once(lines, 'data');
  logger.info('seen', { value });
  const [text] = (await line) as [string];
  return text;
}

/** How the logger renders a field. */
const logged = async (value: string): Promise<string> =>
  (JSON.parse(await loggedLine(value)) as { value: string }).value;

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-bmF0_dXJl';

test('a line that cannot be written ends nothing, on a full disk or without a reader', async () => {
  const script = `
    const { createLogger, onUncaught } = await import(${JSON.stringify(new URL('logger.js', import.meta.url))});
    const broken = onUncaught(() => undefined);
    const logger = createLogger({ level: 'info', format: 'json' });
    for (let n = 0; n < 3; n += 1) {
      logger.info('line');
      await new Promise((resolve) => setTimeout(resolve));
    }
    process.stdout.write(broken.aborted ? 'broken' : 'alive');
    process.exit(0);`;
  const node = '"$1" --input-type=module -e "$2"';
  for (const command of [`${node} 2>/dev/full`, `${node} 2>&1 >&3 3>&- | true`]) {
    const { stdout } = await run('bash', [
      '-c',
      `exec 3>&1; ${command}`,
      'bash',
      process.execPath,
      script,
    ]);
    assert.equal(stdout, 'alive', command.slice(-20));
  }
});

describe('redaction', () => {
  for (const [what, given, shown] of [
    ['a token', `User ${jwt} sent`, 'User [redacted] sent'],
    ['a token with text attached to it', `token=x${jwt}`, 'token=[redacted]'],
    ['two tokens', `${jwt} ${jwt}`, '[redacted] [redacted]'],
    [
      'the password in the parameters of a URL',
      'postgresql://a@b/c?password=x%40y&sslmode=require',
      'postgresql://a@b/c?password=[redacted]&sslmode=require',
    ],
    ['the signature of a URL', '/files/a?exp=1&sig=abc%2D1', '/files/a?exp=1&sig=[redacted]'],
    ['the password of a URL', 'postgresql://me:se:cret@db/x', 'postgresql://me:[redacted]@db/x'],
    ['nothing else', 'a.b.c 1.2.3 eyJ', 'a.b.c 1.2.3 eyJ'],
  ] as const) {
    test(`redacts ${what}`, async () => assert.equal(await logged(given), shown));
  }

  for (const unit of ['eyJ', 'eyJa.', '://a:', 'eyJ-.eyJ', '?sig=', 'a:b@']) {
    test(`reads a long text of ${unit}${unit}… once, not from each of its characters`, () => {
      endsSoon(() => redactText(unit.repeat(1_000_000)));
    });
  }
});

test('entries in JSON contain nothing that steers a terminal, and their values all the same', async () => {
  const name = 'a\x9b2J\u202egpj.\u2066\x7f\u2028';
  const line = (await loggedLine(name)).trimEnd();
  assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\u2028]/u);
  assert.equal(await logged(name), name);
});

test('a logger follows the level in a file, and returns to its own without it', async (t) => {
  const dir = await temporaryDirectory('level');
  t.after(() => rm(dir, { recursive: true }));
  const file = join(dir, 'level');
  const logger = createLogger({ level: 'error', format: 'text' });
  t.after(followLevel(file, logger));
  const becomes = (level: string) => eventually(level, async () => logger.level === level);
  await writeFile(file, 'warn\n');
  await becomes('warn');
  await rm(file);
  await becomes('error');
});

test('a file that contains anything but a level is ignored', async (t) => {
  const dir = await temporaryDirectory('level');
  t.after(() => rm(dir, { recursive: true }));
  const file = join(dir, 'level');
  for (const [text, level] of [
    ['debug\n', 'debug'],
    [' info', 'info'],
    ['', undefined],
    ['loud', undefined],
    ['debug'.padEnd(1_000_000, 'x'), undefined],
  ] as const) {
    await writeFile(file, text);
    assert.equal(readLevel(file), level);
  }
  assert.equal(readLevel(dir), undefined);
  assert.equal(readLevel(`${file}.none`), undefined);
});

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

/** A destination that takes nothing until `read` is called. */
class Slow extends Writable {
  text = '';
  #release: () => void = () => undefined;

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    this.#release = done;
  }

  /** From now on takes everything at once. */
  read(): void {
    this._write = (chunk: string, _encoding, done) => {
      this.text += chunk;
      done();
    };
    this.#release();
  }
}

const megabyte = 1024 * 1024;
const line = 'x'.repeat(199);

test('a stalled reader costs at most a megabyte, and later gets the number of dropped lines', async () => {
  const slow = new Slow();
  const output = new LogOutput(() => slow);
  let dropped = 0;
  output.reportDropped((lines) => {
    dropped += lines;
    output.write('gap\n');
  });
  const lines = 20_000;
  for (let n = 0; n < lines; n += 1) {
    if (n % 10 === 0) output.write(`${line}\n`);
    else output.collect(line);
    assert.ok(slow.writableLength <= megabyte);
  }
  output.flush();
  assert.ok(slow.writableLength > 0.9 * megabyte);
  slow.read();
  await eventually('the gap is reported', async () => slow.text.endsWith('gap\n'));
  const whole = slow.text.split('\n').filter((text) => text === line).length;
  assert.equal(whole + dropped, lines);
  assert.ok(dropped > 0);
  output.write('later\n');
  assert.ok(slow.text.endsWith('gap\nlater\n'));
});

test('collected lines are written together, in chunks that a pipe takes whole', async () => {
  const chunks: string[] = [];
  const taking = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const output = new LogOutput(() => taking);
  for (let n = 0; n < 100; n += 1) output.collect(line);
  await eventually('all are written', async () => chunks.join('').length === 100 * 200);
  assert.ok(chunks.length <= 6, `${chunks.length} writes`);
  for (const chunk of chunks) {
    assert.ok(chunk.length <= 4_096 && chunk.endsWith('\n'), `${chunk.length}`);
  }
});
