import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseMajor, noPackage, offeredMajors, postgisPackage, type Report } from './apt.js';
import { inspectEngine, type Candidate } from './engine.js';
import { unpackedLibraries, unpackPackage } from './unpack.js';

/** Unpacks PostgreSQL with PostGIS into `folder`. @throws OperatorError 69 as `unpackPackage`. */
export async function unpackEngine(
  folder: string,
  report: Report,
  signal?: AbortSignal,
): Promise<void> {
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
