// npm run generate -- frozen: appends the hashes of new files of migrations/chain/ to frozen.json, once they
// have landed. A listed file must never change again, since databases have been migrated with it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../migrations/chain/', import.meta.url));
const list = `${folder}frozen.json`;
const frozen = JSON.parse(readFileSync(list, 'utf8'));
const hashOf = (name) =>
  createHash('sha256')
    .update(readFileSync(folder + name))
    .digest('hex');
const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.ts$/.test(name));

const changed = files.filter((name) => name in frozen && frozen[name] !== hashOf(name));
const gone = Object.keys(frozen).filter((name) => !files.includes(name));
if (changed.length + gone.length > 0) {
  console.error(
    `These migrations have landed and must not change: ${[...changed, ...gone].join(', ')}.\n` +
      'Restore them (git checkout), and write a new migration instead.',
  );
  process.exit(1);
}
const added = files.filter((name) => !(name in frozen));
for (const name of added) frozen[name] = hashOf(name);
writeFileSync(list, `${JSON.stringify(frozen, null, 2)}\n`);
console.log(added.length > 0 ? `Frozen: ${added.join(', ')}` : 'Nothing to freeze.');
