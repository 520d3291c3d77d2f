import { mkdir, readdir, readFile, rename, rm, writeFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyDown } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { run, lastLines } from '../../base/os/run.js';
import {
  hasApt,
  offeredMajors,
  installEngine,
  postgisPackage,
  type Report,
  aptGet,
  updateLists,
  chooseMajor,
  noPackage,
} from './apt.js';
import {
  isUsable,
  minimumMajor,
  systemEngines,
  type Candidate,
  type Engine,
  inspectEngine,
} from './engine.js';

/** Sets up apt in a separate folder: its lists, downloads, and status of installed packages. */
async function privateApt(dir: string): Promise<string[]> {
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    await mkdir(join(dir, name), { recursive: true });
  }
  // An installed server without PostGIS cannot use a PostGIS from elsewhere: unpack both. Packages
  // that depend on a hidden one would count as broken, and apt would refuse to work.
  const status = await readFile('/var/lib/dpkg/status', 'utf8');
  const stanzas = status
    .split('\n\n')
    .filter((s) => !/^(Package: |Depends: .*)postgresql/m.test(s));
  await writeFile(join(dir, 'status'), stanzas.join('\n\n'));
  const settings = [
    `Dir::State::lists=${join(dir, 'lists')}`,
    `Dir::State::status=${join(dir, 'status')}`,
    `Dir::Cache=${join(dir, 'cache')}`,
    `Dir::Cache::archives=${join(dir, 'cache/archives')}`, // a container may disable these
    'Debug::NoLocking=true',
  ];
  return settings.flatMap((s) => ['-o', s]);
}

interface Unpacking {
  readonly folder: string;
  /** Finds the package, querying apt with these options. */
  readonly choose: (options: readonly string[]) => Promise<string>;
  /** A final step before the folder gets its final name. */
  readonly finish?: (draft: string) => Promise<void>;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Downloads a package and its dependencies through apt, which checks signatures, and unpacks
 * everything into a folder. Needs no root; nothing outside the folder changes.
 * @throws OperatorError 69 if apt fails.
 */
export async function unpackPackage(parts: Unpacking): Promise<void> {
  const { folder, choose, finish, report, signal } = parts;
  const draft = `${folder}.new`;
  const work = join(draft, 'apt');
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { recursive: true });
    const options = await privateApt(work);
    await updateLists(options, report, signal);
    const name = await choose(options);
    report(`Downloading ${name} and its dependencies`);
    const install = ['-qy', '--download-only', '--no-install-recommends', 'install', name];
    await aptGet([...options, ...install], { signal });
    report(`Unpacking into ${folder}`);
    await unpackAll(join(work, 'cache/archives'), draft, signal);
    await finish?.(draft);
    await rm(work, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Packages that are not unpacked: a C library next to the system's own loader does not start; the
 * others are large, and the server does not need them with JIT off.
 */
const leftOut = /^(libc6|libc-bin|libllvm|libz3|perl|libperl|locales|fonts-)/;

async function unpackAll(archives: string, into: string, signal?: AbortSignal): Promise<void> {
  for (const file of await readdir(archives)) {
    if (!file.endsWith('.deb') || leftOut.test(file)) continue;
    const { code, output } = await run('dpkg-deb', ['-x', join(archives, file), into], { signal });
    if (code !== 0) throw dependencyDown(`${file} cannot be unpacked:\n${lastLines(output)}`);
  }
}

/** The environment in which unpacked programs find their libraries. */
export async function unpackedLibraries(folder: string): Promise<Record<string, string>> {
  const libraries: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const names = await readdir(join(folder, base)).catch(() => []);
    const triplets = names.filter((name) => name.includes('-linux-gnu'));
    libraries.push(...triplets.map((name) => join(folder, base, name)));
  }
  return { LD_LIBRARY_PATH: libraries.join(':') };
}

/** How a machine without a usable engine can get one. */
type EngineSource = 'apt' | 'unpack' | 'none';

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

/** Unpacks PostgreSQL with PostGIS into `folder`. @throws OperatorError 69 as `unpackPackage`. */
async function unpackEngine(folder: string, report: Report, signal?: AbortSignal): Promise<void> {
  const choose = async (options: readonly string[]): Promise<string> => {
    const major = chooseMajor(await offeredMajors(options), []);
    if (major === undefined) throw noPackage();
    return postgisPackage(major);
  };
  await unpackPackage({ folder, choose, finish: namePostgis, report, signal });
}

/** Makes PostGIS 3 available under its plain name, as the installation of the package does. */
async function namePostgis(folder: string): Promise<void> {
  const versions = join(folder, 'usr/share/postgresql');
  const [version = ''] = await readdir(versions);
  const extensions = join(versions, version, 'extension');
  await copyFile(join(extensions, 'postgis-3.control'), join(extensions, 'postgis.control'));
}

/** The engine that `unpackEngine` left in `folder`, with the environment that it needs. */
export async function unpackedEngine(folder: string): Promise<Candidate | undefined> {
  const versions = join(folder, 'usr/lib/postgresql');
  const [version] = await readdir(versions).catch(() => []);
  if (version === undefined) return undefined;
  const proj = join(folder, 'usr/share/proj');
  return inspectEngine(join(versions, version, 'bin'), {
    ...(await unpackedLibraries(folder)),
    PROJ_DATA: proj,
    PROJ_LIB: proj, // its name before PROJ 9.1
  });
}
