import { parseArgs } from 'node:util';
import { chunkedBodies } from './attacks/chunked-bodies.js';
import { costlyFiles } from './attacks/costly-structures.js';
import { fileParts } from './attacks/file-parts.js';
import { hostilePictures } from './attacks/hostile-pictures.js';
import { measure, type Measured } from './attacks/measure.js';
import { namelessPart } from './attacks/nameless-part.js';
import { pipelining } from './attacks/pipelining.js';
import { plusForms } from './attacks/plus-forms.js';
import { slowReaders } from './attacks/slow-readers.js';

// npm run attacks -- [--program PATH/bin/imgstore] [--only 3]: runs the attacks, each on a separate
// service, and measures their cost to the service and to another user.

const attacks = [
  namelessPart,
  pipelining,
  hostilePictures,
  fileParts,
  chunkedBodies,
  plusForms,
  slowReaders,
  costlyFiles,
];

const columns = [20, 15, 12, 22, 12, 8, 14, 14];
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, i) => String(cell).padEnd(columns[i] ?? 0)).join('');

const head = [
  'attack',
  'service',
  'memory MB',
  'descriptors',
  'other user',
  'failed',
  'p50, alone',
  'p99, alone',
];

function formatRow({ name, fate, peaks, idle, duringAttack, ...open }: Measured): string {
  const descriptors = `${open.descriptorsBefore}, ${peaks.descriptors}, ${open.descriptorsAfter}`;
  const { requests, failures, p50, p99 } = duringAttack;
  return row([
    name,
    fate,
    peaks.memoryMb,
    descriptors,
    requests,
    failures.length,
    `${p50}, ${idle.p50}`,
    `${p99}, ${idle.p99}`,
  ]);
}

const { values } = parseArgs({
  options: { program: { type: 'string' }, only: { type: 'string', multiple: true } },
});
const chosen = attacks.filter(
  ({ name }) => values.only?.includes(name.split(' ')[0] ?? '') ?? true,
);
console.log(row(head));
console.log(row(['', '', 'at most', 'before, most, after', 'requests', '', 'ms', 'ms']));
for (const attack of chosen) {
  const measured = await measure(attack, values.program);
  console.log(formatRow(measured));
  if (measured.note) console.log(`    ${measured.note}`);
  for (const failure of new Set(measured.duringAttack.failures)) console.log(`    ${failure}`);
}
