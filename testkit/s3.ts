import { randomUUID } from 'node:crypto';
import { openBucket, type BucketConfig } from '../src/store/s3/bucket.js';
import { listMultipartUploads } from '../src/store/s3/upload.js';

export type { BucketConfig };

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run the tests with "npm test", which starts an S3 server.`);
}

/** The S3 server of the tests, with the name of a bucket that does not exist yet. */
export const newBucketConfig = (): BucketConfig => ({
  endpoints: [required('IMGSTORE_TEST_S3_ENDPOINT')],
  accessKey: required('IMGSTORE_TEST_S3_ACCESS_KEY'),
  secretKey: required('IMGSTORE_TEST_S3_SECRET_KEY'),
  region: process.env.IMGSTORE_TEST_S3_REGION || 'us-east-1',
  bucket: `imgstore-test-${randomUUID()}`,
});

/** Creates an empty bucket for the caller. */
export async function newBucket(): Promise<BucketConfig> {
  const bucketConfig = newBucketConfig();
  await makeBucket(bucketConfig);
  return bucketConfig;
}

export const makeBucket = (bucketConfig: BucketConfig): Promise<void> =>
  openBucket(bucketConfig).endpoints.call((client) =>
    client.makeBucket(bucketConfig.bucket, bucketConfig.region),
  );

export async function removeBucket(bucketConfig: BucketConfig): Promise<void> {
  const { endpoints, name } = openBucket(bucketConfig);
  for await (const keys of keysIn(bucketConfig)) {
    await endpoints.call((client) => client.removeObjects(name, keys));
  }
  await endpoints.call((client) => client.removeBucket(name));
}

/** Removes a bucket with all versions, locked ones too. */
export async function emptyVersions(bucketConfig: BucketConfig): Promise<void> {
  const { endpoints, name } = openBucket(bucketConfig);
  await endpoints.call(async (client) => {
    const versions = client.listObjects(name, '', true, { IncludeVersion: true });
    for await (const found of versions as AsyncIterable<{ name: string; versionId: string }>) {
      const { versionId } = found;
      await client.removeObject(name, found.name, { versionId, governanceBypass: true });
    }
    await client.removeBucket(name);
  });
}

/** The keys of all objects, a page at a time. */
export async function* keysIn(bucketConfig: BucketConfig): AsyncGenerator<string[]> {
  const { endpoints, name } = openBucket(bucketConfig);
  for (let [after, more] = ['', true]; more;) {
    const page = await endpoints.call((c) => c.listObjectsV2Query(name, '', '', '', 1000, after));
    const keys = page.objects.flatMap((object) => (object.name ? [object.name] : []));
    if (keys.length > 0) yield keys;
    after = keys.at(-1) ?? after;
    more = page.isTruncated;
  }
}

/** The keys of uploads in parts that were neither completed nor aborted. */
export async function unfinishedIn(bucketConfig: BucketConfig): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of listMultipartUploads(openBucket(bucketConfig), '')) keys.push(key);
  return keys;
}

/** The settings of a service whose objects are in this bucket. */
export const s3Settings = (bucketConfig: BucketConfig) => ({
  's3.endpoint': bucketConfig.endpoints.join(','),
  's3.bucket': bucketConfig.bucket,
  's3.region': bucketConfig.region,
  's3.access_key': bucketConfig.accessKey,
  's3.secret_key': bucketConfig.secretKey,
});

/** The same in the environment of a command. */
export const s3Environment = (bucketConfig: BucketConfig) => ({
  IMGSTORE_S3_ENDPOINT: bucketConfig.endpoints.join(','),
  IMGSTORE_S3_BUCKET: bucketConfig.bucket,
  IMGSTORE_S3_ACCESS_KEY: bucketConfig.accessKey,
  IMGSTORE_S3_SECRET_KEY: bucketConfig.secretKey,
});
