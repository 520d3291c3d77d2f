// npm run test:nodes [-- PATTERN...]: runs the tests on the other supported lines of Node.js, each from
// the npm package "node", one after the other.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Besides 20, on which `npm test` runs. docs/install.md names the same. */
const lines = ['22', '24', '26'];

const dir = mkdtempSync(join(tmpdir(), 'imgstore-nodes-'));
chmodSync(dir, 0o755); // tests run programs as other users
const run = (file: string, args: readonly string[], PATH = process.env.PATH): number | null =>
  spawnSync(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } }).status;

const failed: string[] = [];
try {
  for (const line of lines) {
    const prefix = join(dir, line);
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    if (run('npm', ['install', '--prefix', prefix, ...quiet, `node@${line}`]) !== 0) {
      throw new Error(`Node.js ${line} could not be installed.`);
    }
    const bin = join(prefix, 'node_modules/node/bin');
    run(join(bin, 'node'), ['--print', '`Node.js ${process.version}`']);
    const args = ['dist/scripts/test.js', ...process.argv.slice(2)];
    const code = run(join(bin, 'node'), args, [bin, process.env.PATH].join(delimiter));
    if (code !== 0) failed.push(line);
  }
} finally {
  rmSync(dir, { recursive: true });
}
console.log(failed.length === 0 ? 'All lines passed.' : `Failed on ${failed.join(' and ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
