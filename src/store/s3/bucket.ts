import { Client } from 'minio';
import { Endpoints } from './endpoints.js';
import { RoleCredentials } from './role-credentials.js';
import { boundedTransport } from './transport.js';

/** A key pair of the object store. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The location of a bucket, and how to access it. */
export interface BucketConfig extends S3Keys {
  /** Whether the role of the machine replaces the keys, which are then empty. */
  readonly byRole?: boolean;
  /** Scheme, host, port, and path, if any, of each gateway to it: `https://s3.example.com`. */
  readonly endpoints: readonly string[];
  readonly bucket: string;
  /** The prefix of all keys, ending with a slash; none if omitted. */
  readonly prefix?: string;
  readonly region: string;
}

/** A bucket behind its gateways. */
export interface Bucket {
  readonly name: string;
  /** The prefix of all keys in the bucket: empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly endpoints: Endpoints;
  /** What this bucket demands of each put, as far as it has said so. */
  readonly demands: { md5: boolean };
}

export function openBucket(bucketConfig: BucketConfig): Bucket {
  const role = bucketConfig.byRole ? new RoleCredentials(process.env) : undefined;
  const clients = bucketConfig.endpoints.map((endpoint) => clientOf(endpoint, bucketConfig, role));
  return {
    name: bucketConfig.bucket,
    prefix: bucketConfig.prefix ?? '',
    region: bucketConfig.region,
    endpoints: new Endpoints(clients),
    demands: { md5: false },
  };
}

/** The path of an endpoint without a trailing slash; usually empty. */
export const basePathOf = (endpoint: string): string =>
  new URL(endpoint).pathname.replace(/\/$/, '');

/**
 * A client of a server below a path, which is included in the signature, as in AWS's own clients.
 */
class ClientBelowPath extends Client {
  basePath = '';

  protected override getRequestOptions(asked: Parameters<Client['getRequestOptions']>[0]) {
    const request = super.getRequestOptions(asked);
    return { ...request, path: `${this.basePath}${request.path ?? '/'}` };
  }
}

/** A client of one gateway that does not retry: Endpoints retries, possibly elsewhere. */
function clientOf(
  endpoint: string,
  { accessKey, secretKey, region }: BucketConfig,
  role: RoleCredentials | undefined,
): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const secure = protocol === 'https:';
  const client = new ClientBelowPath({
    endPoint: hostname,
    useSSL: secure,
    ...(port && { port: Number(port) }),
    ...(role ? { credentialsProvider: role } : { accessKey, secretKey }),
    region,
    retryOptions: { disableRetry: true },
    ...boundedTransport(secure),
  });
  client.basePath = basePathOf(endpoint);
  // Over TLS, too: it ends at a proxy, and a bit may change behind it.
  client.enableSHA256 = true;
  return client;
}
