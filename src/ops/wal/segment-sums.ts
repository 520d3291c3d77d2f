import { readdir } from 'node:fs/promises';
import { withSuperuser } from '../../database/postgres/connect.js';
import type { Superuser } from '../../database/postgres/connect.js';
import { sumOfFile } from '../backup/lines.js';
import { segmentBytes, segmentName, segmentsOf, stretchFile, writeSegmentSum } from './archive.js';
import type { Progress } from './archive.js';
import { hashOfSegment, segmentAt } from './wal.sql.js';
import type { StretchParts } from './stretches.js';

/**
 * Records the hash of each segment that has become whole, and of the one being received up to a
 * position. Both are read from the server: others may be able to write to the archive. Only of a
 * segment that the server has already removed, the archived file is read.
 */
export function sealSegments(
  { repository, superuserUrl, masterKey }: StretchParts,
  id: string,
  position: string,
): Promise<Progress['wal']> {
  return withSuperuser(superuserUrl, async (client) => {
    const folder = segmentsOf(repository, id);
    const sealed: string[] = await readdir(repository.fileAt(stretchFile(id, 'sums/'))).catch(
      () => [],
    );
    for (const name of (await readdir(folder)).sort()) {
      if (!segmentName.test(name) || sealed.includes(`${name}.json`)) continue;
      const sha256 =
        (await hashOf(client, name, segmentBytes)) ?? (await sumOfFile(`${folder}/${name}`)).sha256;
      await writeSegmentSum(repository, { id, name, sha256 }, masterKey);
    }
    const found = await client.query<{ name: string; bytes: number }>(segmentAt, [position]);
    const { name = '', bytes = 0 } = found.rows[0] ?? {};
    const sha256 = bytes === 0 ? undefined : await hashOf(client, name, bytes);
    return sha256 === undefined ? undefined : { name, bytes, sha256 };
  });
}

async function hashOf(client: Superuser, name: string, bytes: number): Promise<string | undefined> {
  const { rows } = await client.query<{ sha256: string | null }>(hashOfSegment, [name, bytes]);
  return rows[0]?.sha256 ?? undefined;
}
