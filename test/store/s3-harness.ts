import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket } from '../../src/store/s3/bucket.js';
import type { BucketAddress } from '../../src/store/s3/bucket.js';
import { PresignedAddresses } from '../../src/store/s3/presigned.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import { writeSentinel } from '../../src/store/sentinel.js';
import { newBucket, removeBucket } from '../../testkit/s3.js';
import type { StoreHarness } from '../../testkit/store/harness.js';

export interface S3Harness extends StoreHarness {
  readonly address: BucketAddress;
}

/** A store in a bucket of its own on the tests' S3 server, whose addresses the server answers. */
export async function makeS3Store(): Promise<S3Harness> {
  const address = await newBucket();
  const incoming = await mkdtemp(join(tmpdir(), 'imgstore-incoming-'));
  const ttlSeconds = 3600;
  const [endpoint = ''] = address.endpoints;
  const signer = new PresignedAddresses({ ...address, endpoint, ttlSeconds });
  const bucket = openBucket(address);
  const instanceId = randomUUID();
  const store = new S3Store({ bucket, instanceId, signer });
  await writeSentinel(store, instanceId, incoming);
  return {
    address,
    store,
    stranger: new S3Store({ bucket, instanceId: randomUUID(), signer }),
    incoming,
    ttlSeconds,
    signAt: (key, at) =>
      new PresignedAddresses({ ...address, endpoint, ttlSeconds, now: () => at.getTime() }).sign(
        key,
      ),
    fetch: (signed, init) => fetch(signed, init),
    cleanup: async () => {
      await removeBucket(address);
      await rm(incoming, { recursive: true, force: true });
    },
  };
}
