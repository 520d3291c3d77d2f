import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ESLint, Linter } from 'eslint';

const name = 'imgstore/guarded-handlers';
const config = (await new ESLint().calculateConfigForFile('src/http/form.ts')) as Linter.Config;
const { plugins = {}, rules = {} } = config;

/** The number of reports of the rule for this code, as configured for the source. */
function complaints(code: string): number {
  const only = { plugins: { imgstore: plugins.imgstore ?? {} }, rules: { [name]: rules[name] } };
  const found = new Linter().verify(code, [only]);
  assert.ok(
    found.every(({ ruleId }) => ruleId === name),
    JSON.stringify(found),
  );
  return found.length;
}

const refused = [
  "stream.on('data', (chunk) => chunk.parse())",
  "stream.once('end', function () { finish(); })",
  "const hear = () => work(); stream.on('data', hear)",
  "stream.on('data', this.hear)",
  "stream.on('data', hear.bind(this))",
  "signal.addEventListener('abort', () => work(), { once: true })",
  'setTimeout(() => work(), 10)',
  'setInterval(work, 10)',
  'setImmediate(work)',
  'queueMicrotask(() => work())',
  'process.nextTick(() => work())',
  'socket.write(bytes, () => work())',
  'new Transform({ transform(chunk, encoding, done) { work(); } })',
  "stream.on('data', guarded(fail, (inner) => inner.on('data', () => work())))",
];
const accepted = [
  "stream.on('data', guarded(fail, (chunk) => chunk.parse()))",
  "const hear = guarded(fail, () => work()); stream.on('data', hear)",
  "new Promise((resolve, reject) => { stream.once('error', reject); server.listen(0, resolve); })",
  "stream.on('error', () => undefined)",
  "await once(stream, 'end')",
  "new Promise((_resolve, reject) => setTimeout(reject, 10, new Error('late')))",
  'socket.write(bytes)',
  'new PassThrough()',
];

test('lint rejects handlers that could throw into the event loop', () => {
  for (const code of refused) assert.equal(complaints(code), 1, code);
});

test('lint accepts guarded handlers and promise handlers', () => {
  for (const code of accepted) assert.equal(complaints(code), 0, code);
});

test('the rule applies to the source and the workers, not to tests', async () => {
  const of = async (file: string) => {
    const { rules: set } = (await new ESLint().calculateConfigForFile(file)) as Linter.Config;
    return set?.[name];
  };
  assert.ok(await of('src/server/service.ts'));
  assert.ok(await of('workers/imaging-process.ts'));
  assert.equal(await of('src/base/guarded.test.ts'), undefined);
});
