import { keyStates } from '../../library/reclaim/version-objects.js';
import { objectsOf } from '../../store/object-key.js';
import type { FindingKind } from './findings.js';
import { deleteFindingsAbout, selectFindings } from './integrity.sql.js';
import { readObject } from './read-object.js';
import type { Run } from './run.js';

const contentKinds: readonly FindingKind[] = [
  'object_missing',
  'object_size',
  'object_damaged',
  'object_unreadable',
];

/**
 * Reads objects with findings again, independently of the round: findings about restored objects
 * are deleted at once, and the others reported in each run.
 */
export async function recheckFindings({ session, store, findings, signal }: Run): Promise<void> {
  const known = (await selectFindings(session)).filter(({ kind }) => contentKinds.includes(kind));
  const states = await keyStates(
    session,
    known.map(({ key }) => key),
  );
  for (const { key, version } of states) {
    signal.throwIfAborted();
    const object = version && objectsOf(version).find((one) => one.key === key);
    const found = object && (await readObject(store, version, object)).finding;
    if (found) findings.add(found);
    else await deleteFindingsAbout(session, [key]);
  }
}
