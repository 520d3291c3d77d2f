import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, IamAwsProvider } from 'minio';
import { Credentials } from 'minio/dist/esm/Credentials.mjs';
import { guarded } from '../../base/guarded.js';
import { secondMs, minuteMs } from '../../base/units.js';
import { asError, isConnectionFailure, isTransient } from './errors.js';

/** URLs of the metadata services of a machine and a container. */
const instanceMetadata = 'http://169.254.169.254/latest';
const containerMetadata = 'http://169.254.170.2';

/** How long each answer may take: these servers are on the same machine. */
const answerMs = 5 * secondMs;

/** Credentials are renewed this long before they expire. */
const leewayMs = 5 * minuteMs;

interface Issued {
  readonly AccessKeyId?: string;
  readonly SecretAccessKey?: string;
  readonly Token?: string;
  readonly Expiration?: string;
}

/**
 * The credentials of the role that AWS gives to a machine, a container, or a service account. The
 * client's own provider supports the last of these; in version 8.0.7 it misreads the answers for
 * the other two (`AccessKeyID` for `AccessKeyId`).
 */
class RoleCredentials extends IamAwsProvider {
  #known: { readonly credentials: Credentials; readonly until: number } | undefined;

  constructor(private readonly env: NodeJS.ProcessEnv) {
    super({});
  }

  override async getCredentials(): Promise<Credentials> {
    if (this.env.AWS_WEB_IDENTITY_TOKEN_FILE) return super.getCredentials();
    if (this.#known && Date.now() < this.#known.until) return this.#known.credentials;
    const issued = await this.#ask();
    const { AccessKeyId: accessKey, SecretAccessKey: secretKey, Token: sessionToken } = issued;
    if (!accessKey || !secretKey) throw new Error('the role has no keys');
    const credentials = new Credentials({
      accessKey,
      secretKey,
      ...(sessionToken && { sessionToken }),
    });
    const end = issued.Expiration ? Date.parse(issued.Expiration) : Date.now() + 2 * leewayMs;
    this.#known = { credentials, until: end - leewayMs };
    return credentials;
  }

  async #ask(): Promise<Issued> {
    const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, ...env } = this.env;
    const container = relative
      ? `${containerMetadata}${relative}`
      : env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
    if (container) {
      const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
      const given = env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
      const authorization = file ? (await readFile(file, 'utf8')).trim() : given;
      return JSON.parse(await read(container, authorization ? { authorization } : {})) as Issued;
    }
    const lifetime = { 'X-aws-ec2-metadata-token-ttl-seconds': '21600' };
    const token = await read(`${instanceMetadata}/api/token`, lifetime, 'PUT');
    const session = { 'X-aws-ec2-metadata-token': token };
    const roles = `${instanceMetadata}/meta-data/iam/security-credentials/`;
    const [role = ''] = (await read(roles, session)).split('\n');
    return JSON.parse(await read(roles + encodeURIComponent(role), session)) as Issued;
  }
}

async function read(url: string, headers: Record<string, string>, method = 'GET'): Promise<string> {
  const answer = await fetch(url, { method, headers, signal: AbortSignal.timeout(answerMs) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
}

/** Longest wait for a connection, and for any activity on one, in milliseconds. */
const connectTimeout = 3 * secondMs;
const idleTimeout = 10 * secondMs;

/**
 * Connections to one endpoint; the imaging pool and downloads together rarely need half of them.
 */
const maxConnections = 128;

/** How the minio client makes its requests. */
interface Transport {
  readonly transport: Pick<typeof http, 'request'>;
  readonly transportAgent: http.Agent;
}

/** HTTP(S) whose requests fail within bounded time when the other side does not respond. */
function boundedTransport(secure: boolean): Transport {
  const { request, Agent } = secure ? https : http;
  const bounded = (options: http.RequestOptions, answer: (res: http.IncomingMessage) => void) => {
    const outgoing = request({ ...options, timeout: connectTimeout }, answer);
    const fail = (error: unknown): void => void outgoing.destroy(error as Error);
    const connected = guarded(fail, () => outgoing.setTimeout(idleTimeout));
    const attached = guarded(fail, (socket: Socket) => {
      if (!socket.connecting) connected();
      else socket.once('connect', connected);
    });
    outgoing.on('socket', attached);
    outgoing.on(
      'timeout',
      guarded(fail, () => fail(new TimeoutError())),
    );
    return outgoing;
  };
  return {
    transport: { request: bounded as typeof http.request },
    transportAgent: new Agent({ keepAlive: true, maxSockets: maxConnections }),
  };
}

/** The other side accepts no connection, or has stopped responding. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The object store does not respond.');
  }
}

const maxAttempts = 4;

/**
 * The first delay between two attempts, in milliseconds; it doubles each time, and half of it is
 * random.
 */
const basePause = 100;

/** How long the only remaining endpoint may be retried, in milliseconds. */
const retryBudgetMs = 15 * secondMs;

/** How long an endpoint that failed is used only as a last resort, in milliseconds. */
const cooldownMs = 5 * secondMs;

interface Endpoint {
  readonly client: Client;
  /** When it may be used like the others again; milliseconds since 1970. */
  restsUntil: number;
}

const isAwake = ({ restsUntil }: Endpoint): boolean => restsUntil <= Date.now();

/**
 * Several gateways to one object store, used round-robin. One that fails is skipped for a while,
 * and its requests are retried on the next.
 */
class Endpoints {
  /** In order of use: the one used last goes to the end. */
  readonly #queue: Endpoint[];

  constructor(clients: readonly Client[]) {
    if (clients.length === 0) throw new RangeError('there is no endpoint');
    this.#queue = clients.map((client) => ({ client, restsUntil: 0 }));
  }

  /**
   * Runs a repeatable request until it succeeds or clearly will not.
   * @param request receives the number of the attempt, starting at 1.
   * @throws Error the last failure.
   */
  async call<T>(request: (client: Client, attempt: number) => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      const endpoint = this.#next();
      try {
        return await request(endpoint.client, attempt);
      } catch (thrown) {
        const error = asError(thrown);
        const dead = isConnectionFailure(error);
        if (dead) endpoint.restsUntil = Date.now() + cooldownMs;
        if (attempt === maxAttempts || !isTransient(error)) throw error;
        if (dead && this.#queue.some(isAwake)) continue;
        if (Date.now() - began > retryBudgetMs) throw error;
        await delay(basePause * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  #next(): Endpoint {
    const awake = this.#queue.findIndex(isAwake);
    const [endpoint] = this.#queue.splice(Math.max(awake, 0), 1);
    if (!endpoint) throw new RangeError('there is no endpoint');
    this.#queue.push(endpoint);
    return endpoint;
  }
}

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
  /** What its server does, as far as it was tried. */
  readonly learned: { checksHashes: Promise<boolean> | undefined };
}

export function openBucket(bucketConfig: BucketConfig): Bucket {
  const role = bucketConfig.byRole ? new RoleCredentials(process.env) : undefined;
  const clients = bucketConfig.endpoints.map((endpoint) => clientOf(endpoint, bucketConfig, role));
  return {
    name: bucketConfig.bucket,
    prefix: bucketConfig.prefix ?? '',
    region: bucketConfig.region,
    endpoints: new Endpoints(clients),
    learned: { checksHashes: undefined },
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
