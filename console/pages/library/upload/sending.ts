import type { ImgstoreClient } from '../../../core/api';
import { seek } from '../../../core/reach';
import { sendWatched } from '../../../core/xhr';

export interface Sending {
  /** An attempt begins: bytes of earlier attempts no longer count. */
  readonly onAttempt: () => void;
  /** @param share of the file, from 0 to 1. */
  readonly onSent: (share: number) => void;
}

/** Makes a client send by XMLHttpRequest, which reports upload progress, unlike fetch. */
export function watchSending(client: ImgstoreClient, sending: Sending): void {
  client.use({ onRequest: ({ request }) => send(request, sending) });
}

async function send(request: Request, { onAttempt, onSent }: Sending): Promise<Response> {
  const { method, url, headers, signal } = request;
  onAttempt();
  const answered = await sendWatched({
    method,
    url,
    headers: Object.fromEntries(headers),
    body: await request.blob(),
    signal,
    onSent: (bytes, total) => onSent(bytes / total),
  }).catch((cause: unknown) => {
    if (!signal.aborted) seek();
    throw cause;
  });
  return new Response(answered.text || null, answered);
}
