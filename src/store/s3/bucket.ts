import { Client } from 'minio';
import { Endpoints } from './endpoints.js';
import { boundedTransport } from './transport.js';

/** A key pair of the object store. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Where a bucket is and how to access it. */
export interface BucketConfig extends S3Keys {
  /** Scheme, host, and port of each gateway to it: `https://s3.example.com`. */
  readonly endpoints: readonly string[];
  readonly bucket: string;
  readonly region: string;
}

/** A bucket behind its gateways. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly endpoints: Endpoints;
}

export function openBucket(bucketConfig: BucketConfig): Bucket {
  const clients = bucketConfig.endpoints.map((endpoint) => clientOf(endpoint, bucketConfig));
  return {
    name: bucketConfig.bucket,
    region: bucketConfig.region,
    endpoints: new Endpoints(clients),
  };
}

/** A client of one gateway that does not retry by itself: Endpoints retries, possibly elsewhere. */
function clientOf(endpoint: string, { accessKey, secretKey, region }: BucketConfig): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const secure = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    useSSL: secure,
    ...(port && { port: Number(port) }),
    accessKey,
    secretKey,
    region,
    retryOptions: { disableRetry: true },
    ...boundedTransport(secure),
  });
}
