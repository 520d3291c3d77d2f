import { Backoff } from './backoff';
import { Refusal, refusalIn, unanswered } from './refusal';

// Files are sent by the part of tus 1.0.0 (https://tus.io) that the console and the page of links need.
// tus-js-client would be a third of what that page may load, keeps addresses and retries in its own way, and
// does not wait as long as Retry-After says.

/** Where files are sent to, and by whom. */
export interface Entrance {
  /** Address of new uploads. */
  readonly at: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Sent {
  readonly file: Blob;
  /** The same whenever this file is sent, so that it is stored once, and goes on where it broke off. */
  readonly key: string;
  /** Upload-Metadata. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Whether it has been begun before. */
  readonly isBegun: boolean;
}

export interface Sending {
  /** Attempts in a row that may bring nothing. */
  readonly inVain?: number;
  readonly signal?: AbortSignal;
  readonly onAttempt: () => void;
  readonly onSent: (bytes: number) => void;
  /** The connection broke, or the server is busy: the next attempt is in a while. */
  readonly onPause?: () => void;
}

/** Codes with which an upload is begun anew. */
const gone = new Set(['upload_not_found', 'upload_ended', 'idempotency_key_reused']);

/**
 * Sends a file, from where the server has it, however often that breaks. @returns what stands for its image.
 * @throws Refusal; the reason of the signal.
 */
export async function send(entrance: Entrance, sent: Sent, sending: Sending): Promise<string> {
  const { inVain = Infinity, signal, onAttempt, onSent, onPause } = sending;
  const backoff = new Backoff();
  let durable = 0;
  let { isBegun } = sent;
  for (let failed = 0; ; isBegun = true) {
    let brought = false;
    onAttempt();
    const note = (bytes: number, isDurable: boolean): void => {
      if (isDurable && bytes > durable) {
        durable = bytes;
        brought = true;
        backoff.reset();
      }
      onSent(bytes);
    };
    try {
      const attempt = new Attempt(entrance, { ...sent, isBegun }, note, signal);
      return await underKey(sent.key, (key) => attempt.send(key));
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      failed = brought ? 1 : failed + 1;
      if (!cause.passes || failed >= inVain) throw cause;
      onPause?.();
      await backoff.pause(cause.retryAfterMs, signal);
      signal?.throwIfAborted();
    }
  }
}

/**
 * Ends an upload that nobody wants any more; the server would keep it for a day. @returns whether it had become
 * an image, which stays.
 */
export function endSending(entrance: Entrance, sent: Sent): Promise<boolean> {
  const attempt = new Attempt(entrance, { ...sent, isBegun: true }, () => undefined);
  return underKey(sent.key, (key) => attempt.end(key));
}

/** An upload of long ago is over: another key begins a new one, and finds that the next time. */
async function underKey<T>(key: string, work: (key: string) => Promise<T>, anew = 3): Promise<T> {
  try {
    return await work(key);
  } catch (cause) {
    const isGone = cause instanceof Refusal && gone.has(cause.code);
    if (!isGone || anew === 0) throw cause;
  }
  return underKey(`${key}+`, work, anew - 1);
}

/** Files up to this size are sent with the request that begins them; others would be sent in vain if refused. */
const atOnceBytes = 4 * 1_048_576;

const bytesType = { 'Content-Type': 'application/offset+octet-stream' } as const;

interface State {
  readonly url: string;
  readonly offset: number;
  /** What stands for the image that it became. */
  readonly image: string | null;
}

class Attempt {
  constructor(
    private readonly entrance: Entrance,
    private readonly sent: Sent,
    /** @param isDurable whether they will not have to be sent again. */
    private readonly onSent: (bytes: number, isDurable: boolean) => void,
    private readonly signal?: AbortSignal,
  ) {}

  async send(key: string): Promise<string> {
    const { file, isBegun } = this.sent;
    const isWhole = !isBegun && file.size <= atOnceBytes;
    let state = await this.#begin(key, isWhole ? file : null);
    this.onSent(state.offset, true);
    while (state.image === null) {
      const { url, offset } = state;
      const headers = { ...bytesType, 'Upload-Offset': String(offset) };
      state = stateOf(url, await this.#ask('PATCH', url, headers, file.slice(offset), offset));
      this.onSent(state.offset, true);
    }
    return state.image;
  }

  async end(key: string): Promise<boolean> {
    const { url } = await this.#begin(key, null);
    const { headers } = await this.#ask('DELETE', url);
    return headers.has('Upload-Image-Id');
  }

  async #begin(key: string, body: Blob | null): Promise<State> {
    const { at } = this.entrance;
    const headers = {
      ...(body && bytesType),
      'Idempotency-Key': key,
      'Upload-Length': String(this.sent.file.size),
      'Upload-Metadata': metadataOf(this.sent.fields),
    };
    const begun = await this.#ask('POST', at, headers, body);
    // Relative to the page, in case that a proxy has changed the path.
    const url = `${at}/${begun.headers.get('Location')?.split('/').at(-1) ?? ''}`;
    const isKnown = begun.headers.has('Idempotency-Replayed');
    return stateOf(url, isKnown ? await this.#ask('HEAD', url) : begun);
  }

  async #ask(
    method: string,
    url: string,
    more: Readonly<Record<string, string>> = {},
    body: Blob | null = null,
    before = 0,
  ): Promise<Answer> {
    const headers = { 'Tus-Resumable': '1.0.0', ...this.entrance.headers, ...more };
    const onSent = (bytes: number): void => this.onSent(before + bytes, false);
    const { signal } = this;
    const answer = await ask({ method, url, headers, body, signal, onSent }).catch((cause) => {
      signal?.throwIfAborted();
      throw unanswered(cause);
    });
    const { status, text } = answer;
    if (status >= 200 && status < 300) return answer;
    const refusal = refusalIn(status, text, answer.headers);
    // Answers to HEAD have no body.
    const isGone = method === 'HEAD' && (status === 404 || status === 410);
    throw isGone ? new Refusal(status, 'upload_ended', refusal.message) : refusal;
  }
}

function stateOf(url: string, { headers, status, text }: Answer): State {
  const offset = Number(headers.get('Upload-Offset') ?? NaN);
  // A proxy answered in place of the server.
  if (!Number.isInteger(offset)) throw refusalIn(status < 500 ? 502 : status, text, headers);
  return { url, offset, image: headers.get('Upload-Image-Id') };
}

const metadataOf = (fields: Sent['fields']): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${base64(value)}`]))
    .join(',');

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob | null;
  readonly signal: AbortSignal | undefined;
  /** @param bytes of the body that have been sent. */
  readonly onSent: (bytes: number) => void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** After so long without a byte in either direction, a connection is taken for broken. */
const quietMs = 60_000;

/**
 * By XMLHttpRequest where there is one: fetch does not tell how much of a body has been sent.
 * @throws TypeError if the connection broke; the reason of the signal.
 */
async function ask({ method, url, headers, body, signal, onSent }: Asked): Promise<Answer> {
  signal?.throwIfAborted();
  if (!('XMLHttpRequest' in globalThis)) {
    const answer = await fetch(url, { method, headers, body, signal: signal ?? null });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const stop = (): void => request.abort();
  let timer = setTimeout(stop, quietMs);
  request.upload.onprogress = ({ loaded }) => {
    clearTimeout(timer);
    timer = setTimeout(stop, quietMs);
    onSent(loaded);
  };
  signal?.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      const broken = (): void => reject(new TypeError('The connection broke.'));
      request.onload = () => resolve();
      request.onerror = broken;
      request.onabort = () => (signal?.aborted ? reject(signal.reason as Error) : broken());
      request.send(body);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
  return { status: request.status, text: request.responseText, headers: headersOf(request) };
}

function headersOf(answered: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of answered.getAllResponseHeaders().split('\r\n')) {
    const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.append(name, value);
  }
  return headers;
}
