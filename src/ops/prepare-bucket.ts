import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { badConfiguration } from '../base/errors/operator.js';
import { basePathOf, openBucket, type Bucket, type BucketConfig } from '../store/s3/bucket.js';
import { keepsVersions } from '../store/s3/delete-objects.js';
import { noAnswer, s3CodeOf } from '../store/s3/errors.js';
import { abortMultipartUploads, listMultipartUploads, upload } from '../store/s3/upload.js';
import { explainS3, explainTrial, grantOf, type S3Action } from '../store/s3/operator-errors.js';
import { PresignedUrls } from '../store/s3/presigned.js';
import { S3Store } from '../store/s3/s3-store.js';
import { secondMs } from '../base/units.js';

/** How long a server may take to shake hands, in milliseconds. */
const tlsTimeoutMs = 3 * secondMs;

interface BucketParts {
  readonly bucketConfig: BucketConfig;
  /** Folder for the test file. */
  readonly scratch: string;
  readonly report: (message: string) => void;
  /** Says what works but is most likely not intended. */
  readonly warn: (message: string) => void;
}

/**
 * Creates the bucket if missing, and tests every operation that imgstore needs, through every
 * endpoint. @throws OperatorError (78, 69) that explains what is wrong.
 */
export async function prepareBucket({ report, warn, ...parts }: BucketParts): Promise<void> {
  const remark = await tryEndpoints(parts, async (trial) => {
    report(`Testing the bucket ${trial.bucket.name} at ${trial.endpoint}`);
    await ensureBucket(trial);
  });
  if (remark) warn(`${remark.message} ${remark.remedy}`);
}

/**
 * Tests every operation that imgstore needs in an existing bucket, through every endpoint.
 * @throws OperatorError (78, 69) that explains what is wrong.
 */
export const testBucket = (parts: Pick<BucketParts, 'bucketConfig' | 'scratch'>) =>
  tryEndpoints(parts, async (trial) => {
    await listOne(trial.bucket).catch((error: unknown) => explainList(error, trial));
  });

async function tryEndpoints(
  { bucketConfig, scratch }: Pick<BucketParts, 'bucketConfig' | 'scratch'>,
  begin: (trial: Trial) => Promise<void>,
) {
  let remark: Awaited<ReturnType<typeof tryObjects>>;
  for (const endpoint of bucketConfig.endpoints) {
    const one = { ...bucketConfig, endpoints: [endpoint] };
    const trial = { bucket: openBucket(one), bucketConfig: one, endpoint, scratch };
    await begin(trial);
    remark = await tryObjects(trial);
  }
  return remark;
}

const listOne = ({ endpoints, name, prefix }: Bucket): Promise<unknown> =>
  endpoints.call((client) => client.listObjectsV2Query(name, prefix, '', '', 1, ''));

/** @throws OperatorError. */
async function explainList(
  error: unknown,
  { bucket, bucketConfig, endpoint }: Trial,
): Promise<never> {
  const code = s3CodeOf(error);
  const doing = `listing the bucket ${bucket.name}`;
  if (code === 'AccessDenied') {
    throw explainTrial(error, { bucketConfig, endpoint, doing, action: 's3:ListBucket' });
  }
  if (code === 'ECONNRESET' && (await speaksTls(endpoint))) {
    throw badConfiguration(`The server at ${endpoint} speaks TLS.`, {
      setting: 's3.endpoint',
      remedy: `Use ${endpoint.replace('http:', 'https:')}`,
      cause: error,
    });
  }
  throw explainS3(error, `${doing} at ${endpoint}`);
}

/** Whether a server that was asked without TLS expects it. */
async function speaksTls(endpoint: string): Promise<boolean> {
  const { protocol, hostname: host, port } = new URL(endpoint);
  if (protocol !== 'http:') return false;
  const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(tlsTimeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function ensureBucket(trial: Trial): Promise<void> {
  const { bucket, bucketConfig, endpoint } = trial;
  const { endpoints, name, region } = bucket;
  try {
    await listOne(bucket);
  } catch (error) {
    if (s3CodeOf(error) !== 'NoSuchBucket') return explainList(error, trial);
    try {
      await endpoints.call((client) => client.makeBucket(name, region));
    } catch (refused) {
      const doing = `creating the bucket ${name}`;
      throw explainTrial(refused, { bucketConfig, endpoint, doing, action: 's3:CreateBucket' });
    }
  }
}

interface Trial {
  readonly bucket: Bucket;
  readonly bucketConfig: BucketConfig;
  readonly endpoint: string;
  readonly scratch: string;
}

/** Runs one request; @throws OperatorError that names the permission if that is lacking. */
type Attempt = <T>(doing: string, action: S3Action, work: () => Promise<T>) => Promise<T>;

/**
 * Makes every request that imgstore needs once, and checks that objects cannot be read anonymously.
 * @returns what the operator should know about a bucket that works, if anything.
 */
async function tryObjects(trial: Trial) {
  const { bucket, bucketConfig, endpoint, scratch } = trial;
  const signer = new PresignedUrls({ ...bucketConfig, endpoint, ttlSeconds: 60 });
  const store = new S3Store({ bucket, instanceId: '', signer });
  const id = randomUUID();
  const key = `trial/${id}.json`;
  const parts = `trial/${id}-parts.json`;
  const copy = `trial/${id}-copy.json`;
  const path = join(scratch, id);
  const words = JSON.stringify({ trial: key });
  const attempt: Attempt = (doing, action, work) =>
    work().catch((error: unknown) => {
      throw explainTrial(error, { bucketConfig, endpoint, doing, action });
    });
  try {
    await writeFile(path, words);
    await attempt('writing an object', 's3:PutObject', () => upload(bucket, { key, path }));
    await tryReading(trial, { store, key, words, attempt });
    const whole = () => upload(bucket, { key: parts, path }, 0);
    await attempt('writing an object in parts', 's3:PutObject', whole);
    await tryAborting(bucket, parts, attempt);
    await attempt('deleting an object', 's3:DeleteObject', () => store.deleteOrHide([parts]));
    await attempt('copying an object', 's3:PutObject', () => store.move(key, copy));
    const remark = await remarkOn(trial, copy);
    await attempt('deleting objects', 's3:DeleteObject', () => store.deleteOrHide([key, copy]));
    if (await store.stat(copy)) throw unlike(bucketConfig, endpoint, 'kept an object');
    return remark;
  } catch (error) {
    await store.delete([key, parts, copy]).catch(() => undefined); // report the first failure
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

interface Written {
  readonly store: S3Store;
  readonly key: string;
  readonly words: string;
  readonly attempt: Attempt;
}

async function tryReading(
  { bucket, bucketConfig, endpoint }: Trial,
  { store, key, words, attempt }: Written,
): Promise<void> {
  const reading = <T>(doing: string, work: () => Promise<T>) =>
    attempt(doing, 's3:GetObject', work);
  const found = await reading('requesting the size of an object', () => store.stat(key));
  const range = { start: 1, end: 4 };
  const body = await reading('reading an object', () => store.get(key));
  const part = await reading('reading a range of an object', () => store.get(key, range));
  const same = body && part && found?.bytes === words.length;
  if (
    !same ||
    (await text(body.stream)) !== words ||
    (await text(part.stream)) !== words.slice(1, 5)
  )
    throw unlike(bucketConfig, endpoint, 'returned different data than was written');
  // Without this permission, the server does not say that an object is missing.
  const missing = () => store.get(`${key}.none`);
  await attempt('requesting an object that does not exist', 's3:ListBucket', missing);
  if (!bucketConfig.byRole) {
    const signed = await reading('reading a signed URL', () => fetch(store.sign(key)));
    if (signed.status !== 200 || (await signed.text()) !== words) {
      throw signatureRefused(endpoint, signed.status);
    }
  }
  const url = `${bucketUrl(bucket, endpoint)}/${bucket.prefix}${key}`;
  const anonymous = await reading('reading without a signature', () => fetch(url));
  await anonymous.body?.cancel();
  if (anonymous.ok) throw openToAll(bucketConfig);
}

/** Begins an upload in parts, finds it, and aborts it. */
async function tryAborting(bucket: Bucket, key: string, attempt: Attempt): Promise<void> {
  const { endpoints, name, prefix } = bucket;
  const begin = () =>
    endpoints.call((client) => client.initiateNewMultipartUpload(name, prefix + key, {}));
  const list = async () => {
    const { done } = await listMultipartUploads(bucket, key).next();
    return done === true ? 'none' : 'some';
  };
  const listing = <T>(work: () => Promise<T>) =>
    attempt('listing unfinished uploads', 's3:ListBucketMultipartUploads', work);
  const wrong = (lacking: string) => listing(() => Promise.reject(noAnswer(lacking)));
  await attempt('beginning an upload in parts', 's3:PutObject', begin);
  if ((await listing(list)) === 'none') await wrong('the upload that has begun');
  const abort = () => abortMultipartUploads(bucket, [key]);
  await attempt('aborting an upload', 's3:AbortMultipartUpload', abort);
  if ((await listing(list)) === 'some') await wrong('aborting the upload');
}

/** What becomes of deleted objects, if the bucket keeps them. */
async function remarkOn({ bucket, bucketConfig, endpoint }: Trial, key: string) {
  const { endpoints, name, prefix } = bucket;
  const { versionId } = await endpoints.call((client) => client.statObject(name, prefix + key));
  if (!versionId || versionId === 'null') return undefined;
  const period = await lockOf(bucket);
  const kept = 'what is deleted, such as the pictures of a deleted user, stays in it';
  if (period !== undefined) {
    return {
      message: `The bucket ${name} is locked: ${kept} for at least ${period}.`,
      remedy: 'Use another bucket unless that is intended.',
    };
  }
  if ((await keepsVersions(bucket)) !== undefined) return undefined;
  const action = 's3:GetBucketVersioning';
  return {
    message: `The bucket ${name} is versioned, and the keys do not permit ${action}: ${kept} as an old version.`,
    remedy: grantOf({ bucketConfig, endpoint, action }),
  };
}

/** How long a bucket locks each new object; undefined if it does not, or does not say so. */
async function lockOf({ endpoints, name }: Bucket): Promise<string | undefined> {
  // The permission to ask is not one that imgstore needs.
  const lock = await endpoints
    .call((client) => client.getObjectLockConfig(name) as unknown as Promise<ObjectLock>)
    .catch(() => undefined);
  return lock?.mode && `${lock.validity} ${lock.unit?.toLowerCase()} (${lock.mode})`;
}

interface ObjectLock {
  readonly mode?: string;
  readonly validity?: number;
  readonly unit?: string;
}

/** The public URL of a bucket. */
export const bucketUrl = ({ name }: Pick<Bucket, 'name'>, endpoint: string): string =>
  `${new URL(endpoint).origin}${basePathOf(endpoint)}/${name}`;

const unlike = ({ bucket }: BucketConfig, endpoint: string, did: string) =>
  badConfiguration(`The bucket ${bucket} at ${endpoint} ${did}.`, {
    setting: 's3.endpoint',
    remedy:
      'Check which service runs at this URL; every endpoint must be a gateway to the same store.',
  });

const signatureRefused = (endpoint: string, status: number) =>
  badConfiguration(`${endpoint} answered ${status} to a valid signed URL.`, {
    setting: 's3.endpoint',
    remedy: 'Check whether a proxy in front of the S3 server changes the Host header or the path.',
  });

const openToAll = ({ bucket }: BucketConfig) =>
  badConfiguration(`The bucket ${bucket} is publicly readable.`, {
    setting: 's3.bucket',
    remedy: 'Remove its public policy, or choose another --s3-bucket.',
  });
