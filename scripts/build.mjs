// Compiles the sources from scratch into dist/; otherwise outputs of removed files would remain. The
// console has a build of its own, which changes less often: scripts/build-console.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
for (const name of existsSync(dist) ? readdirSync(dist) : []) {
  if (!['console', '.console-stamp'].includes(name)) rmSync(join(dist, name), { recursive: true });
}
// The compiler allocates a lot that lives for long: with room for it, a fifth less time goes to
// collecting garbage.
const node = ['--max-semi-space-size=64'];
const compiler = `${root}/node_modules/typescript/bin/tsc`;
const tsc = spawnSync(process.execPath, [...node, compiler, '-p', root], { stdio: 'inherit' });
process.exit(tsc.status ?? 1);
