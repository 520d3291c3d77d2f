import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackedLibraries, unpackPackage } from '../src/database/postgres/ensure-engine.js';

/** The package is unpacked here once, next to the database engine; nothing is installed or started. */
const folder = fileURLToPath(new URL('../../.imgstore/prometheus', import.meta.url));

/** Prometheus and its promtool from the distribution. */
export async function findPrometheus(
  report: (message: string) => void,
): Promise<{ prometheus: string; promtool: string; env: Record<string, string> }> {
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    await unpackPackage({ folder, choose: async () => 'prometheus', report });
  }
  const program = (name: string): string => join(folder, 'usr/bin', name);
  return {
    prometheus: program('prometheus'),
    promtool: program('promtool'),
    env: await unpackedLibraries(folder),
  };
}
