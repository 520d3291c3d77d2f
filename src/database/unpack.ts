import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyDown } from '../errors/operator.js';
import {
  aptGet,
  chooseMajor,
  noPackage,
  offeredMajors,
  postgisPackage,
  updateLists,
  type Report,
} from './apt.js';
import { inspectEngine, type Candidate } from './engine.js';
import { run, tail } from './run.js';

/** apt at work in a folder of our own: its lists, its downloads, its idea of what is installed. */
async function privateApt(dir: string): Promise<string[]> {
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    await mkdir(join(dir, name), { recursive: true });
  }
  // An installed server without PostGIS cannot use a PostGIS from elsewhere: unpack both.
  const status = await readFile('/var/lib/dpkg/status', 'utf8');
  const stanzas = status.split('\n\n').filter((s) => !/^Package: postgresql/m.test(s));
  await writeFile(join(dir, 'status'), stanzas.join('\n\n'));
  const settings = [
    `Dir::State::lists=${join(dir, 'lists')}`,
    `Dir::State::status=${join(dir, 'status')}`,
    `Dir::Cache=${join(dir, 'cache')}`,
    `Dir::Cache::archives=${join(dir, 'cache/archives')}`, // a container may switch these off
    'Debug::NoLocking=true',
  ];
  return settings.flatMap((s) => ['-o', s]);
}

/**
 * Downloads PostgreSQL with PostGIS and what they need through apt, which checks signatures, and
 * unpacks it into `folder`. Needs no root; nothing outside of `folder` changes.
 * @throws OperatorError 69 when apt cannot deliver.
 */
export async function unpackEngine(
  folder: string,
  report: Report,
  signal?: AbortSignal,
): Promise<void> {
  const draft = `${folder}.new`;
  const work = join(draft, 'apt');
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { recursive: true });
    const options = await privateApt(work);
    await updateLists(options, report, signal);
    const major = chooseMajor(await offeredMajors(options), []);
    if (major === undefined) throw noPackage();
    const name = postgisPackage(major);
    report(`Downloading ${name} and what it needs`);
    const install = ['-qy', '--download-only', '--no-install-recommends', 'install', name];
    await aptGet([...options, ...install], { signal });
    report(`Unpacking into ${folder}`);
    await unpackAll(join(work, 'cache/archives'), draft, signal);
    await namePostgis(draft, major);
    await rm(work, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Packages that stay packed: a C library beside the system's own loader does not start; the others
 * are large, and the server needs none of them with JIT off.
 */
const leftOut = /^(libc6|libc-bin|libllvm|libz3|perl|libperl|locales|fonts-)/;

async function unpackAll(archives: string, into: string, signal?: AbortSignal): Promise<void> {
  for (const file of await readdir(archives)) {
    if (!file.endsWith('.deb') || leftOut.test(file)) continue;
    const { code, output } = await run('dpkg-deb', ['-x', join(archives, file), into], { signal });
    if (code !== 0) throw dependencyDown(`${file} cannot be unpacked:\n${tail(output)}`);
  }
}

/** Does what the PostGIS package does when it is installed: gives its version 3 the plain name. */
async function namePostgis(folder: string, major: number): Promise<void> {
  const extensions = join(folder, 'usr/share/postgresql', String(major), 'extension');
  await copyFile(join(extensions, 'postgis-3.control'), join(extensions, 'postgis.control'));
}

/** The engine that `unpackEngine` left in `folder`, with the environment that it needs. */
export async function unpackedEngine(folder: string): Promise<Candidate | undefined> {
  const versions = join(folder, 'usr/lib/postgresql');
  const [version] = await readdir(versions).catch(() => []);
  if (version === undefined) return undefined;
  const libraries: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const names = await readdir(join(folder, base)).catch(() => []);
    const triplets = names.filter((name) => name.includes('-linux-gnu'));
    libraries.push(...triplets.map((name) => join(folder, base, name)));
  }
  const proj = join(folder, 'usr/share/proj');
  return inspectEngine(join(versions, version, 'bin'), {
    LD_LIBRARY_PATH: libraries.join(':'),
    PROJ_DATA: proj,
    PROJ_LIB: proj, // its name before PROJ 9.1
  });
}
