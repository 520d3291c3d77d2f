// @ts-check
// Compiles the sources into dist/, for tests and scripts, and bundles the program. Everything is built
// from scratch, or outputs of removed files would remain. Types are only stripped: `npm run lint` checks
// them. The console changes less often and has a separate build: scripts/build-console.mjs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** @type {{ include: string[], compilerOptions: { target: string } }} */
const { include, compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
const { target } = compilerOptions;

/**
 * Imports are kept as written, as with `verbatimModuleSyntax`.
 * @type {import('rolldown/utils').TransformOptions}
 */
const options = {
  lang: 'ts',
  target,
  sourcemap: true,
  typescript: { onlyRemoveTypeImports: true },
};

/** @param {string} source @returns the errors in the file. */
function compile(source) {
  const target = join(dist, source.replace(/\.ts$/, '.js'));
  const text = readFileSync(join(root, source), 'utf8');
  const { code, map, errors } = transformSync(source, text, options);
  if (errors.length > 0) return errors.map(({ message }) => message);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  const sources = [relative(dirname(target), join(root, source))];
  writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }));
  return [];
}

const sources = include
  .filter((dir) => existsSync(join(root, dir))) // the container image is built from fewer folders
  .flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(dir, path),
    ),
  )
  .filter((path) => path.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(path));
for (const name of existsSync(dist) ? readdirSync(dist) : []) {
  if (!['console', '.console-stamp', 'console-tests'].includes(name))
    rmSync(join(dist, name), { recursive: true });
}
const problems = sources.flatMap(compile);
process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.exitCode = Number(problems.length > 0);
if (problems.length === 0) await bundle(root);
