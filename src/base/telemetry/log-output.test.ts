import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { LogOutput } from './logger.js';

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
