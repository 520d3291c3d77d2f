// Compiles the sources from scratch into dist/; otherwise outputs of removed files would remain.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', root], {
  stdio: 'inherit',
});
process.exit(tsc.status ?? 1);
