import { sendWatched } from './xhr';

// The part of tus 1.0.0 (https://tus.io) that the console and the page of links need. tus-js-client would
// be a third of what that page may load, keeps addresses and retries in its own way, and does not wait as
// long as Retry-After says.

/** From so many bytes on, files are sent so that they resume; smaller ones are faster as forms. */
export const resumableFrom = 4 * 1_048_576;

export interface ResumableFile {
  /** Address of new uploads. */
  readonly at: string;
  readonly file: Blob;
  /** The same whenever this file is sent, so that the upload that has begun is found. */
  readonly key: string;
  /** Upload-Metadata. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Of each request: who sends it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** @param isDurable whether they will not have to be sent again. */
  readonly onSent: (bytes: number, isDurable: boolean) => void;
}

const bytesType = { 'Content-Type': 'application/offset+octet-stream' } as const;

/** Statuses of states that pass, beside those from 500 on; 0 is that of no answer. */
const passing = new Set([0, 408, 409, 423, 429]);

/** Codes with which an upload is begun anew. */
const gone = ['upload_not_found', 'upload_ended', 'idempotency_key_reused'];

/** Why a file is not stored. */
export class SendingFailed extends Error {
  constructor(
    readonly status: number,
    /** Body of the answer. */
    readonly text: string,
    readonly retryAfterMs: number,
    /** Whether there is no such upload any more. */
    readonly isGone = gone.some((code) => text.includes(`"${code}"`)),
  ) {
    super(`HTTP ${status}`);
  }

  /** Whether the file can go on later. */
  get passes(): boolean {
    return passing.has(this.status) || this.status >= 500;
  }
}

interface State {
  readonly url: string;
  readonly offset: number;
  /** What it was stored as. */
  readonly imageId: string | null;
}

/**
 * Sends a file from where the server has it, once: whoever calls this tries again while the failure
 * passes. @returns the id of its image. @throws SendingFailed; the reason of the signal.
 */
export const sendResumable = (sent: ResumableFile): Promise<string> =>
  underKey(sent, async (key) => goOn(sent, await begin(sent, key)));

/** Ends an upload that nobody wants any more; the server would keep it for a day. */
export const endResumable = (sent: ResumableFile): Promise<void> =>
  underKey(sent, async (key) => {
    const { url } = await begin(sent, key);
    await request(sent, 'DELETE', url);
  });

/** An upload of long ago is over: another key begins a new one, and finds that the next time. */
async function underKey<T>(
  { key }: Pick<ResumableFile, 'key'>,
  work: (key: string) => Promise<T>,
  anew = 3,
): Promise<T> {
  try {
    return await work(key);
  } catch (cause) {
    const isGone = cause instanceof SendingFailed && cause.isGone;
    if (!isGone || anew === 0) throw cause;
  }
  return underKey({ key: `${key}+` }, work, anew - 1);
}

async function begin(sent: ResumableFile, key: string): Promise<State> {
  const begun = await request(sent, 'POST', sent.at, {
    'Idempotency-Key': key,
    'Upload-Length': String(sent.file.size),
    'Upload-Metadata': metadataOf(sent.fields),
  });
  // Relative to the page, in case that a proxy has changed the path.
  const url = `${sent.at}/${begun.headers.get('Location')?.split('/').at(-1) ?? ''}`;
  const isKnown = begun.headers.get('Idempotency-Replayed') !== null;
  return stateOf(url, isKnown ? await request(sent, 'HEAD', url) : begun);
}

async function goOn(sent: ResumableFile, begun: State): Promise<string> {
  const { file, onSent } = sent;
  let state = begun;
  onSent(state.offset, true);
  while (state.imageId === null) {
    const { url, offset } = state;
    const headers = { ...bytesType, 'Upload-Offset': String(offset) };
    const onPart = (bytes: number): void => onSent(offset + bytes, false);
    const answer = await request(sent, 'PATCH', url, headers, file.slice(offset), onPart);
    state = stateOf(url, answer);
    onSent(state.offset, true);
  }
  return state.imageId;
}

function stateOf(url: string, { headers, status, text }: Answer): State {
  const offset = Number(headers.get('Upload-Offset') ?? NaN);
  // A proxy answered in place of the server.
  if (!Number.isInteger(offset)) throw new SendingFailed(status < 500 ? 502 : status, text, 0);
  return { url, offset, imageId: headers.get('Upload-Image-Id') };
}

type Answer = Awaited<ReturnType<typeof sendWatched>>;

async function request(
  { headers: own, signal }: ResumableFile,
  method: string,
  url: string,
  more: Readonly<Record<string, string>> = {},
  body: Blob | null = null,
  onSent?: (bytes: number) => void,
): Promise<Answer> {
  const headers = { 'Tus-Resumable': '1.0.0', ...own, ...more };
  const watched = { method, url, headers, body, signal, ...(onSent && { onSent }) };
  const answer = await sendWatched(watched).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new SendingFailed(0, String(cause), 0);
  });
  const { status, text } = answer;
  if (status >= 200 && status < 300) return answer;
  const retryAfterMs = Number(answer.headers.get('Retry-After') ?? 0) * 1_000 || 0;
  // Answers to HEAD have no body.
  const isGone = method === 'HEAD' && (status === 404 || status === 410);
  throw new SendingFailed(status, text, retryAfterMs, isGone || undefined);
}

const metadataOf = (fields: ResumableFile['fields']): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${base64(value)}`]))
    .join(',');

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));
