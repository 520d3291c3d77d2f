// Builds console/ into dist/console if any of its inputs have changed: the bundle, and next to each
// file its compressed versions, as sent to browsers. `npm run lint` checks the types.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist/console');
const stamp = join(root, 'dist/.console-stamp');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** A hash of all files that the build reads. */
function inputsHash() {
  const hash = createHash('sha256');
  const folders = ['console', 'clients/typescript/src'];
  const single = ['package-lock.json', 'scripts/build-console.mjs'];
  const files = [
    ...single.map((file) => join(root, file)),
    ...folders.flatMap((folder) => filesIn(join(root, folder))),
  ];
  for (const file of files) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const isBuilt = (hash) =>
  existsSync(join(out, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** Other formats are already compressed, and are sent unchanged. */
const compressible = /\.(html|m?js|css|svg|json)$/;

function compress() {
  for (const file of filesIn(out).filter((name) => compressible.test(name))) {
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

const hash = inputsHash();
if (!isBuilt(hash)) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'console/vite.config.mjs'), logLevel: 'warn' });
  compress();
  writeFileSync(stamp, hash);
}
