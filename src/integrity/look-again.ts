import { keyStates } from '../reclaim/version-objects.js';
import { objectsOf } from '../store/object-key.js';
import type { FindingKind } from './findings.js';
import { deleteFindingsAbout, selectFindings } from './queries.js';
import { readObject } from './read-object.js';
import type { Run } from './run.js';

const ofContents: readonly FindingKind[] = [
  'object_missing',
  'object_size',
  'object_damaged',
  'object_unreadable',
];

/**
 * Reads the objects again that were wrong before, wherever the round is: so that what has been
 * restored is forgotten at once, and what has not is reported each time.
 */
export async function lookAgain({ session, store, findings, signal }: Run): Promise<void> {
  const known = (await selectFindings(session)).filter(({ kind }) => ofContents.includes(kind));
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
