import type { IncomingMessage } from 'node:http';
import { guarded } from '../guarded.js';
import { bytesPerMegabyte, secondMs } from '../units.js';

/** How long, and with how many bytes, a client may keep sending a body that was rejected. */
const lingerLimits = { ms: 30 * secondMs, bytes: 256 * bytesPerMegabyte };

const pollMs = 100;

/**
 * Discards the rest of a request that was answered early. Most clients read the response only after
 * sending everything, so closing the connection would lose it.
 */
export function linger(request: IncomingMessage, { ms, bytes } = lingerLimits): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const maxBytes = socket.bytesRead + bytes;
  const latest = performance.now() + ms;
  const end = (): void => void request.destroy();
  // If nobody has read the request, Node discards its bytes before any event could fire.
  const check = guarded(end, () => {
    if (socket.bytesRead > maxBytes || performance.now() > latest) end();
  });
  const timer = setInterval(check, pollMs);
  const close = guarded(end, () => clearInterval(timer));
  request.once('close', close);
  request.resume();
}
