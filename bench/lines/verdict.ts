import type pg from 'pg';
import { forEachLimited } from '../../src/base/concurrency.js';
import { Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Image } from '../../testkit/records.js';
import type { Sending, Stored } from './sending.js';

/** The most that may be sent, of what the files have. */
const mostSent = 1.1;

const storedSql = `
  SELECT encode(v.hash, 'hex') AS hash, count(*)::int AS images
  FROM image_versions v WHERE v.version = 0 GROUP BY 1`;

/** Compares what is stored with the files: each once, and not much sent twice. */
export async function verdictOn(
  sending: Sending,
  db: pg.Client,
  nodeUrl: string,
): Promise<string[]> {
  const { rows } = await db.query<{ hash: string; images: number }>(storedSql);
  const stored = new Map(rows.map(({ hash, images }) => [hash, images]));
  const findings = [...sending.watch.findings];
  for (const { file } of sending.phones) {
    const images = stored.get(file.hash) ?? 0;
    if (images !== 1) findings.push(`${file.path} (${file.bytes} bytes) is stored ${images} times`);
    stored.delete(file.hash);
  }
  if (stored.size > 0) findings.push(`${stored.size} images are of no file`);
  await forEachLimited(sending.stored, 4, async (one) => {
    const finding = await compare(one, nodeUrl);
    if (finding !== undefined) findings.push(finding);
  });
  const share = sending.sent / sending.bytes;
  if (share > mostSent) findings.push(`${share.toFixed(3)} × the bytes of the files were sent`);
  return findings;
}

/** Reads the image that a client was told of. @returns what is wrong with it, if anything is. */
async function compare({ phone, imageId }: Stored, nodeUrl: string): Promise<string | undefined> {
  const { owner, file } = phone;
  if (imageId === undefined) return `the client of ${file.path} was not told its image`;
  const client = new Client(nodeUrl);
  const path = `/api/v1/users/${owner.user_id}/images/${imageId}`;
  const image = done(await client.get<Image>(path, { as: ['User', owner.access_token] }));
  const bytes = new Uint8Array(await (await fetch(image.org_path_url)).arrayBuffer());
  return sha256(bytes) === file.hash ? undefined : `image ${imageId} has other bytes than its file`;
}
