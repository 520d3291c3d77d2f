import { Started, type Scope } from '../testkit/scope.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { tryToDelete } from './evidence/held.js';
import { useHonestly } from './evidence/honest.js';
import { tamper } from './evidence/tampering.js';

const usage = `Usage: npm run attacks -- --evidence [--only PART] [--changes N] [--operations N] [--attempts N]

What holds and the chain of custody withstand, on servers of its own; exit code 1 on any finding.

  --only PART     tampering: an attacker with all rights changes what was logged, and a verifier that shares
                  nothing with imgstore (bench/evidence/verifier.mjs) has to name every change
                  honest: users at work while the service and its database are killed, of whom nobody names anything
                  held: what is held is to be deleted, in every way, while the service is killed
  --changes N     of the attacker (default: 1000)
  --operations N  of users (default: 100000)
  --attempts N    to delete what is held (default: 10000)`;

const given = readOptions(usage, {
  only: { type: 'string' },
  changes: { type: 'string', default: '1000' },
  operations: { type: 'string', default: '100000' },
  attempts: { type: 'string', default: '10000' },
});
const count = (option: 'changes' | 'operations' | 'attempts', least: number): number =>
  numberOf([option, given[option]], usage, least);
const [changes, operations, attempts] = [
  count('changes', 20),
  count('operations', 100),
  count('attempts', 10),
];

type Report = (line: string) => void;

/** @returns what was found, after a line of figures. */
const parts = new Map<string, (scope: Scope, report: Report) => Promise<readonly string[]>>([
  [
    'tampering',
    async (scope, report) => {
      const { changes: made, named, problems } = await tamper(scope, changes, report);
      report(`${named} of ${made} changes named`);
      return problems;
    },
  ],
  [
    'honest',
    async (scope, report) => {
      const rounds = Math.max(2, Math.min(20, Math.round(operations / 2_000)));
      const used = await useHonestly(scope, { operations, rounds }, report);
      report(
        `${used.operations} operations, ${used.entries} entries, ${used.kills} kills: ${used.alarms.length} alarms in ${used.verified} verifications`,
      );
      return used.alarms;
    },
  ],
  [
    'held',
    async (scope, report) => {
      const { gone, left, ...tried } = await tryToDelete(scope, attempts, report);
      report(
        `${tried.attempts} attempts on ${tried.held} things, ${tried.kills} kills: ${gone.length} gone, ${left.length} left held afterwards`,
      );
      return [...gone, ...left];
    },
  ],
]);

const chosen = [...parts].filter(([name]) => given.only === undefined || name === given.only);
if (chosen.length === 0) misused(`There is no part ${given.only}.`, usage);
for (const [name, run] of chosen) {
  const scope = new Started();
  const began = performance.now();
  try {
    const findings = await run(scope, (line) => console.log(`${name}: ${line}`));
    console.log(`${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
    for (const finding of findings) console.log(`${name}: ✖ ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await scope.end();
  }
}
