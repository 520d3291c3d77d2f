import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const has = (path) => existsSync(new URL(`../${path}`, import.meta.url));

/** Like src/cli/ui.ts, which may be what is missing. */
export function explainMissing(error) {
  const message = has('dist/bundle/imgstore.js')
    ? `A part of imgstore is missing. ${error.message}.`
    : 'imgstore has not been built here yet.';
  const remedy = has('scripts/setup.mjs')
    ? `npm run setup (in ${root})`
    : `install imgstore again; it is in ${root}`;
  process.exitCode = 78;
  if (process.argv.includes('--json')) {
    const document = { error: { exit_code: process.exitCode, message, remedy } };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    process.stderr.write(`Error: ${message}\n  Remedy:  ${remedy}\n`);
  }
}
