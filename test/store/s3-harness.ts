import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket, type BucketConfig } from '../../src/store/s3/bucket.js';
import { PresignedUrls } from '../../src/store/s3/presigned.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import { writeSentinel } from '../../src/store/sentinel.js';
import { openPathGateway } from '../../testkit/path-gateway.js';
import { newBucket, removeBucket } from '../../testkit/s3.js';
import type { StoreHarness } from '../../testkit/store/harness.js';

export interface S3Harness extends StoreHarness {
  readonly bucketConfig: BucketConfig;
}

/** A store in a new bucket on the S3 server of the tests, which also serves its URLs. */
export async function makeS3Store(): Promise<S3Harness> {
  return storeIn(await newBucket());
}

/** The same with an endpoint that has a path, and with all keys below a prefix. */
export async function makeS3StoreBelow(): Promise<S3Harness> {
  const direct = await newBucket();
  const gateway = await openPathGateway(direct);
  const below = await storeIn({
    ...direct,
    endpoints: [gateway.endpoint],
    prefix: 'shared/store/',
  });
  const cleanup = async (): Promise<void> => {
    await below.cleanup();
    await gateway.close();
  };
  return { ...below, cleanup };
}

async function storeIn(bucketConfig: BucketConfig): Promise<S3Harness> {
  const incoming = await mkdtemp(join(tmpdir(), 'imgstore-incoming-'));
  const ttlSeconds = 3600;
  const [endpoint = ''] = bucketConfig.endpoints;
  const signer = new PresignedUrls({ ...bucketConfig, endpoint, ttlSeconds });
  const bucket = openBucket(bucketConfig);
  const instanceId = randomUUID();
  const store = new S3Store({ bucket, instanceId, signer });
  await writeSentinel(store, instanceId, incoming);
  return {
    bucketConfig,
    store,
    stranger: new S3Store({ bucket, instanceId: randomUUID(), signer }),
    incoming,
    ttlSeconds,
    signAt: (key, at) =>
      new PresignedUrls({ ...bucketConfig, endpoint, ttlSeconds, now: () => at.getTime() }).sign(
        key,
      ),
    fetch: (signed, init) => fetch(signed, init),
    cleanup: async () => {
      await removeBucket(bucketConfig);
      await rm(incoming, { recursive: true, force: true });
    },
  };
}
