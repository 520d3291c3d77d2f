import { readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';

const schema = z.object({ generation: z.string(), instance_id: z.string() });

/** The backup that a home is being restored from. */
export type UnfinishedRestore = z.infer<typeof schema>;

/** The backup of an interrupted restore. */
export async function readUnfinishedRestore(home: Home): Promise<UnfinishedRestore | undefined> {
  const text = await readFile(home.restoring, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

export const writeUnfinishedRestore = (home: Home, what: UnfinishedRestore): Promise<void> =>
  writeFile(home.restoring, `${JSON.stringify(what)}\n`, { mode: 0o600 });

export const clearUnfinishedRestore = (home: Home): Promise<void> =>
  rm(home.restoring, { force: true });

/**
 * Whether this resumes an interrupted restore. @throws OperatorError 1 if that was of another
 * generation.
 */
export async function isResumed(home: Home, wanted: UnfinishedRestore): Promise<boolean> {
  const begun = await readUnfinishedRestore(home);
  if (!begun) return false;
  if (begun.generation === wanted.generation && begun.instance_id === wanted.instance_id)
    return true;
  throw failure(`A restore of ${begun.generation} into ${home.dir} was started but not finished.`, {
    setting: 'home',
    remedy: `Finish it (${commandLine('restore', 'DIR', '--generation', begun.generation, '--home', home.dir)}), or choose another home.`,
  });
}
