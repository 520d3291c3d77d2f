import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyDown } from '../../base/errors/operator.js';
import { aptGet, updateLists, type Report } from './apt.js';
import { run, lastLines } from '../../base/os/run.js';

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

export interface Unpacking {
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
