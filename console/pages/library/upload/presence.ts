import { sha256 } from '../../../../clients/typescript/src/index.js';
import { asJson } from '../../../core/api';
import type { Access } from '../access';
import type { Upload } from './dropped';

/** Files that are hashed before the server is asked, so that sending begins soon. */
const most = { files: 200, bytes: 64 * 1_048_576 };

/** A server that is away is no reason to wait: it recognizes repeats by their keys. */
const patienceMs = 10_000;

/** As many of the first as are asked about at once. */
export function firstGroup(uploads: readonly Upload[]): Upload[] {
  let bytes = 0;
  const group: Upload[] = [];
  for (const upload of uploads) {
    bytes += upload.file.size;
    if (group.length === most.files || (group.length > 0 && bytes > most.bytes)) break;
    group.push(upload);
  }
  return group;
}

/**
 * Where the same bytes are among the user's images already: `trash` if only there. An upload that is not in
 * the map is not known to be there. @throws Problem; what reading a file throws.
 */
export async function presenceOf(
  uploads: readonly Upload[],
  access: Access,
): Promise<ReadonlyMap<Upload, 'library' | 'trash'>> {
  const byHash = new Map<string, Upload[]>();
  for (const upload of uploads) {
    upload.hash = await sha256(upload.file);
    byHash.set(upload.hash, [...(byHash.get(upload.hash) ?? []), upload]);
  }
  const params = { path: { user_id: access.userId } };
  const body = { hashes: [...byHash.keys()] };
  const signal = AbortSignal.timeout(patienceMs);
  const { present } = await access.call((client) =>
    client.POST('/api/v1/users/{user_id}/images/check', { params, body, ...asJson, signal }),
  );
  const found = new Map<Upload, 'library' | 'trash'>();
  for (const { hash, images } of present) {
    const where = images.every(({ in_trash }) => in_trash) ? 'trash' : 'library';
    for (const upload of byHash.get(hash) ?? []) found.set(upload, where);
  }
  return found;
}
