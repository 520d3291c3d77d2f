import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unavailable } from '../base/errors/catalogue.js';
import type { ObjectStore } from './port.js';

/**
 * The object that records which installation the store belongs to. An empty mount point lacks it,
 * and another installation's bucket has another one: neither must be mistaken for the store.
 */
export const sentinelKey = 'instance.json';

/** @returns the id of the installation that the store belongs to; undefined without a sentinel. */
export async function readSentinel(store: Pick<ObjectStore, 'get'>): Promise<string | undefined> {
  const body = await store.get(sentinelKey);
  if (!body) return undefined;
  const document: unknown = JSON.parse(await text(body.stream));
  const id = typeof document === 'object' && document !== null && 'instance_id' in document;
  return id && typeof document.instance_id === 'string' ? document.instance_id : undefined;
}

/**
 * Writes the sentinel of this installation into a store without one; does nothing if it is already
 * there.
 *
 * @param scratch folder for the file before it is stored: the incoming folder.
 * @throws Error if the store belongs to another installation.
 */
export async function writeSentinel(
  store: Pick<ObjectStore, 'get' | 'put'>,
  instanceId: string,
  scratch: string,
): Promise<void> {
  const owner = await readSentinel(store);
  if (owner === instanceId) return;
  if (owner !== undefined) throw new Error(`The object store belongs to instance ${owner}.`);
  const path = join(scratch, `instance-${randomUUID()}.json`);
  try {
    await writeFile(path, `${JSON.stringify({ instance_id: instanceId })}\n`);
    await store.put([{ key: sentinelKey, path }]);
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * @throws ServiceError `unavailable`, with the reason as its cause, unless the sentinel is ours.
 */
export async function checkSentinel(
  store: Pick<ObjectStore, 'get'>,
  instanceId: string,
): Promise<void> {
  const owner = await readSentinel(store);
  if (owner === instanceId) return;
  const found = owner === undefined ? `has no ${sentinelKey}` : `belongs to instance ${owner}`;
  const reason = `it ${found}; expected instance ${instanceId} (mount missing?)`;
  throw unavailable('The object store', new Error(reason));
}
