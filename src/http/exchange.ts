import { guarded } from '../base/guarded.js';
import { contentLength, sendContinue } from './body.js';
import type { Call } from './call.js';
import { pathOf } from './host.js';
import { bodyChunks } from './multipart.js';
import type { Exchange } from './operation.js';

/** For which a client may still send a body that is not needed, in milliseconds. */
const closingMs = 100;

/** What a protocol sees of a call. @param inUploadSlot takes an upload slot of the caller. */
export function exchangeOf(
  { arrival, request, response, resolveUrl, signal }: Call,
  inUploadSlot: Exchange<string>['inUploadSlot'],
): Exchange<string> {
  const { headers } = request;
  const isEncoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  return {
    ...arrival,
    at: pathOf(request.url).replace(/\/$/, ''),
    headers,
    body: {
      bytes: headers['transfer-encoding'] === undefined ? contentLength(request) : undefined,
      type: isEncoded ? '' : (headers['content-type'] ?? '').trim().toLowerCase(),
      read: (limits) => {
        sendContinue(request, response);
        return bodyChunks(request, { ...limits, per: 'chunk' });
      },
    },
    resolveUrl,
    signal,
    inUploadSlot,
    leaveBody: () => {
      const cut = (): void => void request.socket.destroy();
      const late = guarded(cut, () => {
        if (!request.complete) cut();
      });
      const answered = guarded(cut, () => void setTimeout(late, closingMs));
      response.once('finish', answered);
    },
    set: (named) => void response.set(named),
    end: (status) => void response.status(status).end(),
  };
}
