import { constants } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dependencyDown } from '../../base/errors/operator.js';
import { minimumMajor, type Candidate } from './engine.js';
import { exists } from '../../base/os/files.js';
import { run, lastLines, type RunOptions } from '../../base/os/run.js';

/** Reports what a long step is doing, in a sentence for the operator. */
export type Report = (message: string) => void;

/** Whether apt is available on this machine. */
export const hasApt = (): Promise<boolean> => exists('/usr/bin/apt-get', constants.X_OK);

/** The package that provides PostGIS and, through its dependencies, the server of that version. */
export const postgisPackage = (major: number): string => `postgresql-${major}-postgis-3`;

/**
 * Major versions whose PostGIS package apt knows, newest first. `options` are apt's own (`-o …`).
 */
export async function offeredMajors(options: readonly string[] = []): Promise<number[]> {
  const { stdout } = await run('apt-cache', [...options, 'pkgnames', 'postgresql-']);
  const majors = [...stdout.matchAll(/^postgresql-(\d+)-postgis-3$/gm)].map((m) => Number(m[1]));
  return majors.filter((m) => m >= minimumMajor).sort((a, b) => b - a);
}

/**
 * The major version to install: preferably one whose server is already installed, else the newest.
 */
export function chooseMajor(
  offered: readonly number[],
  installed: readonly number[],
): number | undefined {
  return offered.find((major) => installed.includes(major)) ?? offered[0];
}

/** Runs apt-get. @throws OperatorError 69 with the end of its output if it fails. */
export async function aptGet(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const env = { DEBIAN_FRONTEND: 'noninteractive', ...options.env };
  const { code, stdout, output } = await run('apt-get', args, { ...options, env });
  if (code === 0) return stdout;
  throw dependencyDown(`apt-get ${args.at(-1)} failed:\n${lastLines(output)}`, {
    remedy: `sudo apt-get update && sudo apt-get install ${postgisPackage(minimumMajor)}, or specify an existing server with --database-url`,
  });
}

/** Another apt may be running: wait this many seconds for it. */
const lockTimeout = ['-o', 'DPkg::Lock::Timeout=120'];

const clusterConfig = '/etc/postgresql-common/createcluster.d/imgstore.conf';

/**
 * Prevents the distribution's package from creating and starting its own cluster during this
 * installation; an existing PostgreSQL setup is left untouched.
 */
async function withoutDefaultCluster(work: () => Promise<unknown>): Promise<void> {
  const fresh = !(await exists('/etc/postgresql-common/createcluster.conf'));
  if (fresh) {
    await mkdir('/etc/postgresql-common/createcluster.d', { recursive: true });
    await writeFile(clusterConfig, 'create_main_cluster = false\n');
  }
  try {
    await work();
  } finally {
    if (fresh) await rm(clusterConfig, { force: true });
  }
}

/**
 * Installs PostGIS and, if missing, PostgreSQL. Requires root.
 * @throws OperatorError 69 if apt has no such package or fails.
 */
export async function installEngine(
  servers: readonly Candidate[],
  report: Report,
  signal?: AbortSignal,
): Promise<void> {
  const installed = servers.map((s) => s.major);
  const known = chooseMajor(await offeredMajors(), installed);
  if (known !== undefined) {
    try {
      return await installPackage(known, report, signal);
    } catch (error) {
      signal?.throwIfAborted();
      report((error as Error).message); // usually the lists are out of date: fetch them
    }
  }
  await updateLists([], report, signal);
  const major = chooseMajor(await offeredMajors(), installed);
  if (major === undefined) throw noPackage();
  await installPackage(major, report, signal);
}

async function installPackage(major: number, report: Report, signal?: AbortSignal): Promise<void> {
  const name = postgisPackage(major);
  report(`Installing ${name} with apt; this takes a minute or two`);
  const options = ['-qy', ...lockTimeout, '--no-install-recommends'];
  await withoutDefaultCluster(() => aptGet([...options, 'install', name], { signal }));
}

/**
 * Fetches the package lists. A failing source is not yet a reason to give up, since others may
 * provide the package. @throws OperatorError 69 if no list has it afterward.
 */
export async function updateLists(
  options: readonly string[],
  report: Report,
  signal?: AbortSignal,
): Promise<void> {
  report('Fetching the package lists (apt-get update)');
  try {
    await aptGet(['-q', ...lockTimeout, ...options, 'update'], { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if ((await offeredMajors(options)).length === 0) throw error;
  }
}

/** No package source of this machine has PostGIS for a recent enough server. */
export const noPackage = () =>
  dependencyDown(
    `apt has no PostGIS package for PostgreSQL ${minimumMajor} or newer (postgresql-N-postgis-3).`,
    {
      remedy:
        'use Debian 12 or Ubuntu 24.04 or newer, add the package source of https://apt.postgresql.org, or specify an existing server with --database-url',
    },
  );
