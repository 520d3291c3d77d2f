import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { XMLParser } from 'fast-xml-parser';
import { forEachLimited } from '../../base/concurrency.js';
import type { Bucket } from './bucket.js';
import { isDenied, isTransientCode, noAnswer, s3CodeOf, S3AnswerError } from './errors.js';

/** Most objects that one request deletes; a limit of S3. */
const maxDeleted = 1000;

/** Folders whose versions are listed at a time. */
const parallelLists = 4;

/** An object to be deleted; with a version, that one alone. */
interface Doomed {
  readonly key: string;
  readonly version?: string;
}

/** What the server answered for keys that it did not delete: `AccessDenied: …`. */
type Refusals = Map<string, { readonly code: string; readonly reason: string }>;

/**
 * Deletes objects; in a bucket with versions, all of their versions, since one that is merely hidden is not
 * deleted. @returns the code and reason of each key that was refused, after retries if they may help.
 */
export async function deleteObjects(bucket: Bucket, keys: readonly string[]): Promise<Refusals> {
  if (!(await keepsVersions(bucket))) return deleteInBatches(bucket, named(keys));
  const found = await versionsOf(bucket, keys);
  const refused = await deleteInBatches(
    bucket,
    found.filter(({ hides }) => !hides),
  );
  const markers = found.filter(({ hides }) => hides);
  const needless = markers.filter(({ key }) => !refused.has(key));
  for (const [key, refusal] of await deleteInBatches(bucket, needless)) refused.set(key, refusal);
  // What is locked is hidden at least, until a later attempt can delete it.
  const visible = [...refused.keys()].filter((key) => !markers.some((one) => one.key === key));
  await deleteInBatches(bucket, named(visible));
  return refused;
}

const named = (keys: readonly string[]): Doomed[] => keys.map((key) => ({ key }));

async function deleteInBatches(bucket: Bucket, doomed: readonly Doomed[]): Promise<Refusals> {
  const refused: Refusals = new Map();
  for (let start = 0; start < doomed.length; start += maxDeleted) {
    const batch = doomed.slice(start, start + maxDeleted);
    for (const [{ key }, refusal] of await deleteBatch(bucket, batch)) refused.set(key, refusal);
  }
  return refused;
}

/** Whether the bucket keeps versions, or once did; undefined if asking is not allowed. */
export async function keepsVersions({ endpoints, name }: Bucket): Promise<boolean | undefined> {
  try {
    const found: unknown = await endpoints.call((client) => client.getBucketVersioning(name));
    return typeof found === 'object' && found !== null && 'Status' in found;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return s3CodeOf(error) === 'AccessDenied' ? undefined : false;
  }
}

interface Version extends Required<Doomed> {
  /** Whether it is a marker that hides older ones. */
  readonly hides: boolean;
}

interface ListedVersion {
  readonly Key: string;
  readonly VersionId: string;
}

/** All versions of these keys, and the markers that hide some. */
export async function versionsOf(bucket: Bucket, keys: readonly string[]): Promise<Version[]> {
  const wanted = new Set(keys);
  const folders = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const found: Version[] = [];
  await forEachLimited([...folders], parallelLists, async (folder) => {
    for await (const one of listVersions(bucket, folder)) if (wanted.has(one.key)) found.push(one);
  });
  return found;
}

async function* listVersions(bucket: Bucket, folder: string): AsyncGenerator<Version> {
  const { endpoints, name: bucketName, prefix } = bucket;
  for (let [key, version] = ['', '']; ;) {
    const marker = `&key-marker=${encodeURIComponent(key)}&version-id-marker=${encodeURIComponent(version)}`;
    const query = `versions&prefix=${encodeURIComponent(prefix + folder)}${key && marker}`;
    const answer = await endpoints.call(async (client) =>
      text(await client.makeRequestAsync({ method: 'GET', bucketName, query })),
    );
    const { ListVersionsResult: page } = parser.parse(answer) as {
      ListVersionsResult?: {
        Version?: ListedVersion[];
        DeleteMarker?: ListedVersion[];
        IsTruncated?: string;
        NextKeyMarker?: string;
        NextVersionIdMarker?: string;
      };
    };
    if (!page) throw noAnswer('a ListVersionsResult');
    const { Version: versions = [], DeleteMarker: markers = [] } = page;
    for (const one of [...versions, ...markers]) {
      const key = one.Key.slice(prefix.length);
      yield { key, version: one.VersionId, hides: markers.includes(one) };
    }
    if (page.IsTruncated !== 'true') return;
    const before = { key, version };
    [key, version] = [page.NextKeyMarker ?? '', page.NextVersionIdMarker ?? ''];
    if (key === before.key && version === before.version) throw noAnswer('the next versions');
  }
}

/**
 * Deletes at most 1,000 objects with one request. Such a request succeeds as a whole, so the answer
 * for each key is read: one that is not said to be deleted is not. (The client's own removeObjects
 * asks for failures alone, and takes any other document for none.)
 */
async function deleteBatch(bucket: Bucket, doomed: readonly Doomed[]): Promise<Refused> {
  const refused: Refused = new Map();
  let pending = doomed;
  try {
    await bucket.endpoints.call(async (client) => {
      const body = Buffer.from(requestOf(bucket, pending));
      const answer = await client.makeRequestAsync(
        {
          method: 'POST',
          bucketName: bucket.name,
          query: 'delete',
          headers: { 'content-md5': createHash('md5').update(body).digest('base64') },
        },
        body,
      );
      const outcome = outcomeOf(bucket, pending, await text(answer));
      for (const one of pending) refused.delete(one);
      for (const [one, refusal] of outcome) refused.set(one, refusal);
      pending = [...outcome].filter(([, { code }]) => isTransientCode(code)).map(([one]) => one);
      const [first] = pending;
      const busy = first && refused.get(first);
      if (busy) throw new S3AnswerError(busy.code, busy.reason);
    });
  } catch (error) {
    // Every one was answered at least once: those that stay are in `refused`.
    if (!(error instanceof S3AnswerError) || refused.size === 0) throw error;
  }
  return refused;
}

type Refused = Map<Doomed, { readonly code: string; readonly reason: string }>;

/** Keys and versions consist of characters that XML leaves alone. */
const requestOf = ({ prefix }: Bucket, doomed: readonly Doomed[]): string =>
  `<Delete>${doomed.map(({ key, version }) => `<Object><Key>${prefix}${key}</Key>${version === undefined ? '' : `<VersionId>${version}</VersionId>`}</Object>`).join('')}</Delete>`;

interface Answered {
  readonly Key?: string;
  readonly VersionId?: string;
  readonly Code?: string;
  readonly Message?: string;
}

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => ['Deleted', 'Error', 'Version', 'DeleteMarker'].includes(name),
});

/** Those that are still there. @throws S3AnswerError if this is no answer to the request. */
function outcomeOf({ prefix }: Bucket, doomed: readonly Doomed[], document: string): Refused {
  const parsed = parser.parse(document) as {
    DeleteResult?: { Deleted?: Answered[]; Error?: Answered[] } | '';
    Error?: Answered[];
  };
  if (parsed.DeleteResult === undefined) {
    const { Code = 'InvalidAnswer', Message = 'not a DeleteResult' } = parsed.Error?.[0] ?? {};
    throw new S3AnswerError(Code, Message);
  }
  const { Deleted = [], Error: failed = [] } = parsed.DeleteResult || {};
  const nameOf = ({ Key = '', VersionId = '' }: Answered): string =>
    doomed[0]?.version === undefined ? Key : `${VersionId} ${Key}`;
  const gone = new Set(Deleted.map(nameOf));
  const failures = new Map(failed.map((failure) => [nameOf(failure), failure]));
  const refused: Refused = new Map();
  for (const one of doomed) {
    const name = nameOf({ Key: prefix + one.key, VersionId: one.version ?? '' });
    const { Code: code = '', Message = '' } = failures.get(name) ?? {};
    if (['NoSuchKey', 'NoSuchVersion'].includes(code) || (code === '' && gone.has(name))) continue;
    const reason =
      code === '' ? 'the S3 server did not say whether it was deleted' : `${code}: ${Message}`;
    refused.set(one, { code, reason });
  }
  return refused;
}
