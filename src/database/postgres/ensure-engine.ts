import { dependencyDown } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { hasApt, offeredMajors, installEngine, postgisPackage, type Report } from './apt.js';
import { isUsable, minimumMajor, systemEngines, type Candidate, type Engine } from './engine.js';
import { unpackedEngine, unpackEngine } from './unpack-engine.js';

/** How a machine without a usable engine can get one. */
export type EngineSource = 'apt' | 'unpack' | 'none';

export async function engineSource(): Promise<EngineSource> {
  if (!(await hasApt())) return 'none';
  if (process.getuid?.() === 0) return 'apt';
  return isPackaged ? 'none' : 'unpack';
}

/**
 * Whether this program was installed from the Debian package. If apt updates the program, it should
 * also update its database server.
 */
const isPackaged = import.meta.url.startsWith('file:///usr/lib/imgstore/');

/**
 * The newest usable engine of the machine, or else the one unpacked in `folder`.
 * @param major only this version, for a cluster created with it.
 */
export async function findEngine(folder: string, major?: number): Promise<Engine | undefined> {
  const fits = (c: Candidate) => isUsable(c) && (major === undefined || c.major === major);
  const system = (await systemEngines()).find(fits);
  if (system) return system;
  const unpacked = await unpackedEngine(folder);
  return unpacked && fits(unpacked) ? unpacked : undefined;
}

/**
 * Like `findEngine`, but installs an engine if there is none: with apt as root, otherwise unpacked
 * into `folder`.
 * @throws OperatorError 69 if there is no way to get one.
 */
export async function ensureEngine(
  folder: string,
  report: Report,
  signal?: AbortSignal,
): Promise<Engine> {
  const found = await findEngine(folder);
  if (found) return found;
  const source = await engineSource();
  if (source === 'apt') await installEngine(await systemEngines(), report, signal);
  if (source === 'unpack') await unpackEngine(folder, report, signal);
  const engine = await findEngine(folder);
  if (engine) return engine;
  throw await noEngine();
}

/** The engine that an existing cluster needs; never installs one. */
export async function requireEngine(folder: string, major?: number): Promise<Engine> {
  const engine = await findEngine(folder, major);
  if (engine) return engine;
  throw await noEngine(major);
}

async function noEngine(major?: number) {
  const wanted = major ? `PostgreSQL ${major}` : `PostgreSQL ${minimumMajor} or newer`;
  const near = (await systemEngines()).map(
    (c) =>
      `${c.bin} (PostgreSQL ${c.major}${c.missing.length ? `, lacks ${c.missing.join(', ')}` : ''})`,
  );
  const found = near.length > 0 ? ` Found: ${near.join('; ')}.` : '';
  const offered = (await hasApt()) ? await offeredMajors() : [];
  const name = postgisPackage(major ?? offered[0] ?? minimumMajor);
  const command = `sudo apt-get install --no-install-recommends ${name}`;
  const none = `No ${wanted} with PostGIS was found on this machine.${found}`;
  const instead =
    'or use a server elsewhere with --database-url postgresql://USER:PASSWORD@HOST/DATABASE';
  const setting = 'database.url';
  if (major === undefined)
    return dependencyDown(none, { setting, remedy: `${command}, ${instead}` });
  const source = offered.includes(major)
    ? ''
    : ', which apt here lacks: add the former release of Debian or https://apt.postgresql.org as a source';
  return dependencyDown(`The database uses PostgreSQL ${major}. ${none}`, {
    setting,
    remedy: `${command}${source}; "${commandLine('database', 'upgrade')}" then moves the database to a newer version (docs/upgrading.md)`,
  });
}
