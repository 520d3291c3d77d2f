/** A request whose progress is watched: fetch does not tell how much of a body has been sent. */
interface Watched {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob | FormData | null;
  readonly signal?: AbortSignal | undefined;
  /** @param bytes of the body that have been sent. */
  readonly onSent?: (bytes: number, total: number) => void;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** After so long without a byte in either direction, a connection is taken for broken. */
const quietMs = 60_000;

/** @throws TypeError if the connection broke; the reason of the signal. */
export async function sendWatched(watched: Watched): Promise<Answered> {
  const { method, url, headers = {}, body = null, signal, onSent } = watched;
  signal?.throwIfAborted();
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const stop = (): void => request.abort();
  let timer = setTimeout(stop, quietMs);
  request.upload.onprogress = ({ loaded, total }) => {
    clearTimeout(timer);
    timer = setTimeout(stop, quietMs);
    onSent?.(loaded, total);
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
