// A Debian in a folder, made by debootstrap for one test.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../src/base/os/run.js';
import { ensureInstalled } from '../../testkit/installed.js';

export const mirror = 'http://deb.debian.org/debian';

/** Runs a program. @returns its stdout. @throws Error with its output if it fails. */
export async function mustRun(file: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, output } = await run(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

/** Ends the script with a message unless root runs it. */
export function requireRoot(what: string): void {
  if (process.getuid?.() === 0) return;
  console.error(`${what}: run it as root.`);
  process.exit(1);
}

/** Makes a Debian with these packages. @param options of debootstrap. */
export async function makeDebian(
  folder: string,
  suite: string,
  packages: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  const debootstrap = { programs: ['debootstrap'], packages: ['debootstrap'] };
  await ensureInstalled({ purpose: 'Tests in another Debian', ...debootstrap }, console.log);
  const include = `--include=${['ca-certificates', ...packages].join(',')}`;
  await mustRun('debootstrap', '--variant=minbase', include, ...options, suite, folder, mirror);
}

/** Lets PostgreSQL make no cluster of its own when it is installed there. */
export function refuseClusters(folder: string): void {
  const settings = join(folder, 'etc/postgresql-common/createcluster.d');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'none.conf'), 'create_main_cluster = false\n');
}
