import type { ImgstoreClient } from '../../../core/api';
import { seek } from '../../../core/reach';

export interface Sending {
  /** An attempt begins: bytes of earlier attempts no longer count. */
  readonly onAttempt: () => void;
  /** @param share of the request, from 0 to 1. */
  readonly onSent: (share: number) => void;
}

/** Makes a client send by XMLHttpRequest, which reports upload progress, unlike fetch. */
export function watchSending(client: ImgstoreClient, sending: Sending): void {
  client.use({ onRequest: ({ request }) => send(request, sending) });
}

async function send(request: Request, { onAttempt, onSent }: Sending): Promise<Response> {
  const { method, url, headers, signal } = request;
  onAttempt();
  const body = await request.blob();
  signal.throwIfAborted();
  const sent = new XMLHttpRequest();
  sent.open(method, url);
  headers.forEach((value, name) => sent.setRequestHeader(name, value));
  sent.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
  const stop = (): void => sent.abort();
  signal.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      sent.onload = () => resolve();
      sent.onabort = () => reject(signal.reason as Error);
      sent.onerror = () => reject(new TypeError('The connection broke.'));
      sent.send(body);
    });
  } catch (cause) {
    if (!signal.aborted) seek();
    throw cause;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  const { status, responseText } = sent;
  return new Response(responseText || null, { status, headers: headersOf(sent) });
}

function headersOf(answered: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of answered.getAllResponseHeaders().split('\r\n')) {
    const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.append(name, value);
  }
  return headers;
}
