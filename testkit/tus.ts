import { randomUUID } from 'node:crypto';
import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer of an exchange in tus: most have headers alone. */
export interface TusAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Code of the error in the envelope, if any. */
  readonly code: string | undefined;
  readonly field: string | undefined;
}

interface TusUser {
  readonly id: string;
  readonly token: string;
}

type Headers = Record<string, string>;

/** A request whose body the test sends step by step. */
export interface OpenRequest {
  readonly request: ClientRequest;
  readonly answer: Promise<TusAnswer>;
}

/** Upload-Metadata of these values. */
export const metadataOf = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const offsetType = { 'content-type': 'application/offset+octet-stream' };

/** A client that sends single requests of tus, right or wrong, as the test says. */
export class TusClient {
  /** @param path of new uploads. */
  constructor(
    readonly base: string,
    readonly user: TusUser,
    readonly path = `/api/v1/users/${user.id}/uploads`,
  ) {}

  /** A visitor of a link. @param at path of its page. */
  static ofLink(base: string, at: string): TusClient {
    return new TusClient(base, { id: '', token: '' }, `${at}/uploads`);
  }

  /** The same client through another node. */
  at(base: string): TusClient {
    return new TusClient(base, this.user, this.path);
  }

  /** @param target a path below the user's, or an address that Location gave. */
  open(method: string, target: string, headers: Headers = {}): OpenRequest {
    const path = target.startsWith('http') ? new URL(target).pathname : this.#path(target);
    const sent = request(new URL(path, this.base), {
      method,
      agent: false,
      headers: {
        ...(this.user.token !== '' && { authorization: `User ${this.user.token}` }),
        'tus-resumable': '1.0.0',
        ...headers,
      },
    });
    const answer = new Promise<TusAnswer>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (response) => {
        text(response).then((body) => {
          const { error } = (body.startsWith('{') ? JSON.parse(body) : {}) as {
            error?: { code: string; field?: string };
          };
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, code: error?.code, field: error?.field });
        }, reject);
      });
    });
    answer.catch(() => undefined); // whoever awaits it gets the error
    return { request: sent, answer };
  }

  send(method: string, target: string, headers: Headers = {}, body?: Uint8Array) {
    const length = { 'content-length': String(body?.length ?? 0) };
    const { request: sent, answer } = this.open(method, target, { ...length, ...headers });
    sent.end(body);
    return answer;
  }

  /** Begins an upload. @returns its path. */
  async begin(length: number, metadata: Record<string, string> = {}): Promise<string> {
    const answer = await this.create(length, metadata);
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.code}`);
    return new URL(answer.headers.location ?? '').pathname;
  }

  create(length: number, metadata: Record<string, string> = {}, headers: Headers = {}) {
    return this.send('POST', '', {
      'upload-length': String(length),
      ...(Object.keys(metadata).length > 0 && { 'upload-metadata': metadataOf(metadata) }),
      ...headers,
    });
  }

  patch(upload: string, offset: number, bytes: Uint8Array, headers: Headers = {}) {
    const own = { 'upload-offset': String(offset), ...offsetType };
    return this.send('PATCH', upload, { ...own, ...headers }, bytes);
  }

  /** Begins to send bytes, which follow through the request. @param length of the body. */
  openPatch(upload: string, offset: number, length: number, headers: Headers = {}): OpenRequest {
    const own = {
      'upload-offset': String(offset),
      ...offsetType,
      'content-length': String(length),
    };
    const opened = this.open('PATCH', upload, { ...own, ...headers });
    opened.request.flushHeaders();
    return opened;
  }

  head(upload: string): Promise<TusAnswer> {
    return this.send('HEAD', upload);
  }

  /** The durable offset. */
  async offset(upload: string): Promise<number> {
    return Number((await this.head(upload)).headers['upload-offset']);
  }

  #path(target: string): string {
    return /^\/(api|s)\//.test(target) ? target : `${this.path}${target}`;
  }
}

/** The path of an upload that does not exist. */
export const unknownUpload = (): string => `/${randomUUID()}`;
