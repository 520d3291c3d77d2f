// npm run generate -- frozen: appends the hashes of new files of migrations/chain/ to frozen.json, once they
// have landed. A listed file must never change again, since databases have been migrated with it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from '../src/base/installed-files.js';

const folder = packageFile('migrations/chain/');
const list = `${folder}frozen.json`;
const frozen = new Map(
  Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>),
);
const hashOf = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(folder + name))
    .digest('hex');
const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.ts$/.test(name));

const changed = files.filter((name) => frozen.has(name) && frozen.get(name) !== hashOf(name));
const gone = [...frozen.keys()].filter((name) => !files.includes(name));
if (changed.length + gone.length > 0) {
  console.error(
    `These migrations have landed and must not change: ${[...changed, ...gone].join(', ')}.\n` +
      'Restore them (git checkout), and write a new migration instead.',
  );
  process.exit(1);
}
const added = files.filter((name) => !frozen.has(name));
for (const name of added) frozen.set(name, hashOf(name));
writeFileSync(list, `${JSON.stringify(Object.fromEntries(frozen), null, 2)}\n`);
console.log(added.length > 0 ? `Frozen: ${added.join(', ')}` : 'Nothing to freeze.');
