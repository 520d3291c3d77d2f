import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../testkit/random.js';
import type { CreatedUser, Folder, Image } from '../../testkit/records.js';
import { Member, Tenant } from '../../testkit/world.js';
import type { Field } from './field.js';
import type { Gate } from './gate.js';
import { LimitedClient } from './limited-client.js';

/** Pause between two steps of a writer, in milliseconds. */
const pauseMs = 20;

export interface Written {
  /** Changes that were answered. */
  readonly done: number;
  /** Changes that were cut off, or rejected because another writer was faster. */
  readonly failed: number;
}

/** Makes random changes at random nodes; those without a response may have taken effect. */
export async function write(
  { field, owner, gate }: { field: Field; owner: CreatedUser; gate: Gate },
  n: number,
  signal: AbortSignal,
): Promise<Written> {
  const random = new Random(n);
  const folders: Folder[] = [];
  const images: Image[] = [];
  let [done, failed] = [0, 0];
  while (!signal.aborted) {
    const baseUrls = await field.baseUrls();
    const client = new LimitedClient(baseUrls[random.below(baseUrls.length)] ?? '');
    const user = new Member(new Tenant(client, { id: owner.platform_id } as never), owner);
    const change = changes(user, { folders, images, random, name: `${n} ${done} ${failed}` });
    await gate.enter(change).then(
      () => (done += 1),
      () => (failed += 1),
    );
    await delay(pauseMs);
  }
  return { done, failed };
}

interface Known {
  readonly folders: Folder[];
  readonly images: Image[];
  readonly random: Random;
  readonly name: string;
}

/** The next change: about half of them create something, and all while there is nothing to change. */
function changes(user: Member, { folders, images, random, name }: Known): () => Promise<unknown> {
  const folder = random.of(folders);
  const image = random.of(images);
  const create: readonly (() => Promise<unknown>)[] = [
    async () => folders.push(await user.folder(name, folder)),
    async () => images.push(await user.upload(folder && { folder_id: folder.id })),
  ];
  const path = `/images/${image?.id}`;
  const ofImage: readonly (() => Promise<unknown>)[] = [
    () => user.put(path, { has_det: 'True' }),
    () => user.post(`${path}/memos`, { message: name }),
    () => user.post(`${path}/customs`, { key: name, value: 'x' }),
    () => user.put(path, { delete: 'True' }),
    () => user.put(path, { delete: 'False' }),
  ];
  const ofFolder: readonly (() => Promise<unknown>)[] = [
    () => user.put(`/folders/${folder?.id}`, {}, { delete: 'true' }),
    () => user.put(`/folders/${folder?.id}`, {}, { delete: 'false' }),
    () => user.delete(`/folders/${folders.splice(0, 1)[0]?.id}`),
  ];
  const known = [...(image ? ofImage : []), ...(folder ? ofFolder : [])];
  const from = known.length === 0 || random.below(2) === 0 ? create : known;
  return from[random.below(from.length)] as () => Promise<unknown>;
}
