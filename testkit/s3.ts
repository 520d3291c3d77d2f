import { randomUUID } from 'node:crypto';
import { openBucket } from '../src/store/s3/bucket.js';
import type { BucketAddress } from '../src/store/s3/bucket.js';

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run the tests with "npm test", which starts an S3 server.`);
}

/** The S3 server given to the tests, and the name of a bucket that does not exist yet. */
export const newAddress = (): BucketAddress => ({
  endpoints: [required('IMGSTORE_TEST_S3_ENDPOINT')],
  accessKey: required('IMGSTORE_TEST_S3_ACCESS_KEY'),
  secretKey: required('IMGSTORE_TEST_S3_SECRET_KEY'),
  region: process.env.IMGSTORE_TEST_S3_REGION || 'us-east-1',
  bucket: `imgstore-test-${randomUUID()}`,
});

/** An empty bucket of the caller's own. */
export async function newBucket(): Promise<BucketAddress> {
  const address = newAddress();
  await openBucket(address).endpoints.call((client) =>
    client.makeBucket(address.bucket, address.region),
  );
  return address;
}

export async function removeBucket(address: BucketAddress): Promise<void> {
  const { endpoints, name } = openBucket(address);
  for (let more = true; more;) {
    const page = await endpoints.call((c) => c.listObjectsV2Query(name, '', '', '', 1000, ''));
    const keys = page.objects.flatMap((object) => (object.name ? [object.name] : []));
    if (keys.length > 0) await endpoints.call((client) => client.removeObjects(name, keys));
    more = page.isTruncated;
  }
  await endpoints.call((client) => client.removeBucket(name));
}

/** The settings of a service whose objects are in this bucket. */
export const s3Settings = (address: BucketAddress) => ({
  's3.endpoint': address.endpoints.join(','),
  's3.bucket': address.bucket,
  's3.region': address.region,
  's3.access_key': address.accessKey,
  's3.secret_key': address.secretKey,
});
