import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { XMLParser } from 'fast-xml-parser';
import type { Bucket } from './bucket.js';
import { isTransientCode, S3AnswerError } from './errors.js';

/** Most keys that one request deletes; a limit of S3. */
export const maxDeleted = 1000;

/** What the server answered for keys that it did not delete: `AccessDenied: …`. */
type Refusals = Map<string, { readonly code: string; readonly reason: string }>;

/**
 * Deletes at most 1,000 objects with one request. Such a request succeeds as a whole, so the answer
 * for each key is read: one that is not said to be deleted is not. (The client's own removeObjects
 * asks for failures alone, and takes any other document for none.)
 * @returns the code and reason of each key that was refused, after retries if they may help.
 */
export async function deleteObjects(bucket: Bucket, keys: readonly string[]): Promise<Refusals> {
  const refused: Refusals = new Map();
  let pending = keys;
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
      for (const key of pending) refused.delete(key);
      for (const [key, refusal] of outcome) refused.set(key, refusal);
      pending = [...outcome].filter(([, { code }]) => isTransientCode(code)).map(([key]) => key);
      const [first = ''] = pending;
      const busy = refused.get(first);
      if (busy) throw new S3AnswerError(busy.code, busy.reason);
    });
  } catch (error) {
    // Every key was answered at least once: those that stay are in `refused`.
    if (!(error instanceof S3AnswerError) || refused.size === 0) throw error;
  }
  return refused;
}

/** Keys consist of characters that XML leaves alone. */
const requestOf = ({ prefix }: Bucket, keys: readonly string[]): string =>
  `<Delete>${keys.map((key) => `<Object><Key>${prefix}${key}</Key></Object>`).join('')}</Delete>`;

interface Answered {
  readonly Key?: string;
  readonly Code?: string;
  readonly Message?: string;
}

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Deleted' || name === 'Error',
});

/** The keys that are still there. @throws S3AnswerError if this is no answer to the request. */
function outcomeOf({ prefix }: Bucket, keys: readonly string[], document: string): Refusals {
  const parsed = parser.parse(document) as {
    DeleteResult?: { Deleted?: Answered[]; Error?: Answered[] } | '';
    Error?: Answered[];
  };
  if (parsed.DeleteResult === undefined) {
    const { Code = 'InvalidAnswer', Message = 'not a DeleteResult' } = parsed.Error?.[0] ?? {};
    throw new S3AnswerError(Code, Message);
  }
  const { Deleted = [], Error: failed = [] } = parsed.DeleteResult || {};
  const gone = new Set(Deleted.map(({ Key }) => Key));
  const failures = new Map(failed.map((failure) => [failure.Key, failure]));
  const refused: Refusals = new Map();
  for (const key of keys) {
    const { Code: code = '', Message = '' } = failures.get(prefix + key) ?? {};
    if (code === 'NoSuchKey' || (code === '' && gone.has(prefix + key))) continue;
    const reason =
      code === '' ? 'the S3 server did not say whether it was deleted' : `${code}: ${Message}`;
    refused.set(key, { code, reason });
  }
  return refused;
}
