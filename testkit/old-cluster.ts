import { appendFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../src/base/config/home.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  prepareFiles,
  serverIdentity,
} from '../src/database/postgres/cluster-files.js';
import { requiredExtensions, type Engine } from '../src/database/postgres/engine.js';
import { initializeCluster, clusterSettings } from '../src/database/postgres/initdb.js';
import { run } from '../src/base/os/run.js';

/** Creates a private cluster as earlier builds did: in single-user mode, which assigns low ids. */
export async function makeOldCluster(home: Home, engine: Engine): Promise<void> {
  const files = clusterFiles(home);
  const identity = await serverIdentity(files.data);
  await prepareFiles(files, identity);
  const draft = `${files.data}.new`;
  await makePrivateDirectory(draft, identity);
  const password = await clusterPassword(files, true);
  await initializeCluster(draft, engine, identity, password);
  await appendFile(join(draft, 'postgresql.conf'), clusterSettings);
  const single = async (database: string, statements: readonly string[]) => {
    const { code, output } = await run(
      join(engine.bin, 'postgres'),
      ['--single', '-D', draft, '-j', database],
      { as: identity, env: engine.env, input: statements.map((s) => `${s};\n\n`).join('') },
    );
    if (code !== 0 || /\b(ERROR|FATAL|PANIC): /.test(output)) throw new Error(output);
  };
  await single('postgres', [
    `CREATE ROLE imgstore LOGIN CREATEDB PASSWORD '${password}'`,
    'CREATE DATABASE imgstore OWNER imgstore',
  ]);
  await single(
    'imgstore',
    requiredExtensions.map((name) => `CREATE EXTENSION ${name}`),
  );
  await rename(draft, files.data);
}
