import { readFile } from 'node:fs/promises';
import { IamAwsProvider } from 'minio';
import { Credentials } from 'minio/dist/esm/Credentials.mjs';
import { minuteMs, secondMs } from '../../base/units.js';

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
export class RoleCredentials extends IamAwsProvider {
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
