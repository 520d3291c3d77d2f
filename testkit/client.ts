import type { DocumentedAnswers } from './documented.js';

/** The envelope of every JSON response. */
export interface Answer<Result> {
  /** From HTTP. */
  readonly status: number;
  readonly headers: Headers;
  /** From the envelope. */
  readonly status_code: number;
  readonly message: string;
  readonly result: Result;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly details?: unknown;
  };
}

/** The scheme word and token of a caller, for the Authorization header. */
export type Caller = readonly [scheme: 'Admin' | 'Platform' | 'User', token: string];

export interface Call {
  readonly as?: undefined | Caller;
  readonly query?: Record<string, string | number | boolean>;
  /** Sent as multipart/form-data. */
  readonly form?: Record<string, string | Blob | readonly string[]>;
  /** Sent as application/x-www-form-urlencoded. */
  readonly urlencoded?: Record<string, string>;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** An API client as platforms would write it: paths, forms, and envelopes. */
export class Client {
  /**
   * @param base changes when the service is started again.
   * @param documented checks every answer against the server's OpenAPI document.
   */
  constructor(
    public base: string,
    private readonly documented?: DocumentedAnswers,
  ) {}

  get = <R = unknown>(path: string, call: Call = {}) => this.request<R>('GET', path, call);
  post = <R = unknown>(path: string, call: Call = {}) => this.request<R>('POST', path, call);
  put = <R = unknown>(path: string, call: Call = {}) => this.request<R>('PUT', path, call);
  delete = <R = unknown>(path: string, call: Call = {}) => this.request<R>('DELETE', path, call);

  /** The raw response, for answers without an envelope. */
  async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    const url = new URL(path, this.base);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      url.searchParams.set(name, String(value));
    }
    // Only tests of compression request it; the others save the time of compressing and decompressing.
    const headers: Record<string, string> = { 'accept-encoding': 'identity', ...call.headers };
    if (call.as) headers.authorization = call.as.join(' ');
    if (call.json !== undefined) headers['content-type'] = 'application/json';
    const init = { method, headers, body: bodyOf(call), signal: call.signal ?? null };
    const response = await fetch(url, init);
    await this.documented?.check(method, url.pathname, response);
    return response;
  }

  async request<R>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    const response = await this.raw(method, path, call);
    const body = (await response.json()) as Omit<Answer<R>, 'status' | 'headers'>;
    return { ...body, status: response.status, headers: response.headers };
  }
}

function bodyOf({ form, urlencoded, json }: Call): FormData | URLSearchParams | string | null {
  if (urlencoded) return new URLSearchParams(urlencoded);
  if (json !== undefined) return JSON.stringify(json);
  if (!form || Object.keys(form).length === 0) return null;
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (value instanceof File) data.append(name, value, value.name);
    else if (value instanceof Blob) data.append(name, value, `${name}.bin`);
    else for (const item of typeof value === 'string' ? [value] : value) data.append(name, item);
  }
  return data;
}
