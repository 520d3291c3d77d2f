// @ts-check
// Builds console/ into dist/console if any of its inputs have changed: the bundle, and next to each
// file its compressed versions, as sent to browsers; and into dist/console-tests the tests of its
// modules, which run without a browser. `npm run lint` checks the types.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist/console');
const stamp = join(root, 'dist/.console-stamp');
const testsOut = join(root, 'dist/console-tests');
const testsStamp = join(testsOut, '.stamp');

/** @param {string} file */
const isTest = (file) => file.endsWith('.test.ts');

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const sources = ['console', 'clients/typescript/src'].flatMap((folder) =>
  filesIn(join(root, folder)),
);
const checking = ['check-proof', 'merkle', 'notes', 'time-stamp'].map(
  (name) => `src/feed/custody/${name}.ts`,
);
const others = ['package-lock.json', 'scripts/build-console.mjs', ...checking].map((file) =>
  join(root, file),
);

/** @param {readonly string[]} files @returns a hash of files that a build reads. */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** @param {string} stamp @param {string} hash */
const isBuilt = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

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

/** @param {string} text */
const sourceOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What runs on its own, as one script.
 * @param {string} input @param {import('rolldown').OutputOptions} [output]
 */
async function scriptOf(input, output) {
  const { build } = await import('rolldown');
  const built = await build({
    input: join(root, 'console', input),
    platform: 'browser',
    tsconfig: join(root, 'console/tsconfig.json'),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // As if it were beside the scripts of the pages.
    transform: { define: { 'import.meta.url': 'self.beside' } },
    output: { format: 'iife', minify: true, ...output },
    write: false,
  });
  return built.output[0].code;
}

/** What the service worker sends, for those browsers that have it do so. */
async function buildBackground() {
  const script = await scriptOf('pages/library/upload/background.ts', {
    name: 'background',
    intro: "self.beside = new URL('assets/', location).href;",
  });
  writeFileSync(join(out, 'background.js'), script);
}

/** The page that checks proofs is one file that asks no server for anything, so that it can be kept. */
async function buildCheckPage() {
  const script = (await scriptOf('check/main.ts')).replaceAll('</script', '<\\/script');
  const style = ['styles/tokens.css', 'check/check.css']
    .map((file) => readFileSync(join(root, 'console', file), 'utf8'))
    .join('');
  const policy = `default-src 'none'; script-src ${sourceOf(script)}; style-src ${sourceOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = readFileSync(join(root, 'console/check/check.html'), 'utf8')
    .replace('POLICY', () => policy)
    .replace('<!-- STYLE -->', () => `<style>${style}</style>`)
    .replace('<!-- SCRIPT -->', () => `<script>${script}</script>`);
  writeFileSync(join(out, 'check.html'), page);
}

/**
 * Pages are loaded when they are opened, which no test of a module does.
 * @type {import('rolldown').Plugin}
 */
const withoutPages = {
  name: 'without-pages',
  resolveDynamicImport: (id) => ({ id, external: true }),
};

/** Each with all that it imports, since the modules import as bundlers resolve. */
async function buildTests() {
  rmSync(testsOut, { recursive: true, force: true });
  mkdirSync(testsOut, { recursive: true }); // without any tests, as in the container image, too
  const { build } = await import('rolldown');
  for (const input of sources.filter(isTest)) {
    await build({
      input,
      platform: 'node',
      tsconfig: join(root, 'console/tsconfig.json'),
      moduleTypes: { '.css': 'empty' },
      plugins: [withoutPages],
      output: { file: join(testsOut, relative(join(root, 'console'), input).replace(/ts$/, 'js')) },
    });
  }
}

const hash = hashOf([...others, ...sources.filter((file) => !isTest(file))]);
if (!existsSync(join(out, 'index.html')) || !isBuilt(stamp, hash)) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'console/vite.config.mjs'), logLevel: 'warn' });
  await buildCheckPage();
  await buildBackground();
  compress();
  writeFileSync(stamp, hash);
}
const testsHash = hashOf([...others, ...sources]);
if (!isBuilt(testsStamp, testsHash)) {
  await buildTests();
  writeFileSync(testsStamp, testsHash);
}
