import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { badConfiguration } from '../errors/operator.js';
import { basePathOf, openBucket } from '../store/s3/bucket.js';
import type { Bucket, BucketConfig } from '../store/s3/bucket.js';
import { explainS3 } from '../store/s3/operator-errors.js';
import { s3CodeOf } from '../store/s3/errors.js';
import { PresignedUrls } from '../store/s3/presigned.js';
import { S3Store } from '../store/s3/s3-store.js';

export interface BucketParts {
  readonly bucketConfig: BucketConfig;
  /** Folder for the test file. */
  readonly scratch: string;
  readonly report: (message: string) => void;
}

/**
 * Creates the bucket if missing, and tests every operation that imgstore needs, through every
 * endpoint. @throws OperatorError (78, 69) that explains what is wrong.
 */
export async function prepareBucket({ bucketConfig, scratch, report }: BucketParts): Promise<void> {
  for (const endpoint of bucketConfig.endpoints) {
    report(`Testing the bucket ${bucketConfig.bucket} at ${endpoint}`);
    const one = { ...bucketConfig, endpoints: [endpoint] };
    const bucket = openBucket(one);
    await ensureBucket(bucket, endpoint);
    await tryObject({ bucket, bucketConfig: one, endpoint, scratch });
  }
}

/**
 * Tests every operation that imgstore needs in an existing bucket, through every endpoint.
 * @throws OperatorError (78, 69) that explains what is wrong.
 */
export async function testBucket({
  bucketConfig,
  scratch,
}: Omit<BucketParts, 'report'>): Promise<void> {
  for (const endpoint of bucketConfig.endpoints) {
    const one = { ...bucketConfig, endpoints: [endpoint] };
    const bucket = openBucket(one);
    await listOne(bucket).catch((error: unknown) => {
      throw explainS3(error, `listing the bucket at ${endpoint}`);
    });
    await tryObject({ bucket, bucketConfig: one, endpoint, scratch });
  }
}

const listOne = ({ endpoints, name, prefix }: Bucket): Promise<unknown> =>
  endpoints.call((client) => client.listObjectsV2Query(name, prefix, '', '', 1, ''));

async function ensureBucket(bucket: Bucket, endpoint: string): Promise<void> {
  const { endpoints, name, region } = bucket;
  try {
    await listOne(bucket);
  } catch (error) {
    if (s3CodeOf(error) !== 'NoSuchBucket')
      throw explainS3(error, `listing the bucket at ${endpoint}`);
    try {
      await endpoints.call((client) => client.makeBucket(name, region));
    } catch (refused) {
      throw explainS3(refused, `creating the bucket ${name} at ${endpoint}`);
    }
  }
}

interface Trial {
  readonly bucket: Bucket;
  readonly bucketConfig: BucketConfig;
  readonly endpoint: string;
  readonly scratch: string;
}

/** Writes, reads, signs, and deletes one object, and checks that it cannot be read anonymously. */
async function tryObject({ bucket, bucketConfig, endpoint, scratch }: Trial): Promise<void> {
  const signer = new PresignedUrls({ ...bucketConfig, endpoint, ttlSeconds: 60 });
  const store = new S3Store({ bucket, instanceId: '', signer });
  const key = `trial/${randomUUID()}.json`;
  const path = join(scratch, randomUUID());
  const words = JSON.stringify({ trial: key });
  const attempt = async <T>(doing: string, work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw explainS3(error, `${doing} at ${endpoint}`);
    });
  try {
    await writeFile(path, words);
    await attempt('writing an object', () => store.put([{ key, path }]));
    const body = await attempt('reading an object', () => store.get(key));
    if (!body || (await text(body.stream)) !== words) throw unlike(bucketConfig, endpoint);
    await attempt('requesting an object that does not exist', () => store.get(`${key}.none`));
    await attempt('listing unfinished uploads', () => store.unfinished().next());
    if (!bucketConfig.byRole) {
      const signed = await attempt('reading a signed URL', () => fetch(store.sign(key)));
      if (signed.status !== 200 || (await signed.text()) !== words) {
        throw signatureRefused(endpoint, signed.status);
      }
    }
    const url = `${bucketUrl(bucket, endpoint)}/${bucket.prefix}${key}`;
    const anonymous = await attempt('reading without a signature', () => fetch(url));
    await anonymous.body?.cancel();
    if (anonymous.ok) throw openToAll(bucketConfig);
  } finally {
    await rm(path, { force: true });
    await store.delete([key]).catch(() => undefined); // report the test's own failure
  }
  await attempt('deleting an object', () => store.delete([key]));
}

/** The public URL of a bucket. */
export const bucketUrl = ({ name }: Pick<Bucket, 'name'>, endpoint: string): string =>
  `${new URL(endpoint).origin}${basePathOf(endpoint)}/${name}`;

const unlike = ({ bucket }: BucketConfig, endpoint: string) =>
  badConfiguration(
    `The bucket ${bucket} at ${endpoint} returned different data than was written.`,
    {
      setting: 's3.endpoint',
      remedy:
        'Check which service runs at this URL; every endpoint must be a gateway to the same store.',
    },
  );

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
