import type { IncomingMessage } from 'node:http';
import { guarded } from '../guard.js';
import { bytesPerMegabyte, secondMs } from '../units.js';

/** How long, and with how many bytes, a client may go on sending a body that has been refused. */
const lingerLimits = { ms: 30 * secondMs, bytes: 256 * bytesPerMegabyte };

const lookMs = 100;

/**
 * Throws away what is left of a request that has been answered early. Most clients read the answer
 * only when they have sent all: to close on them would lose it.
 */
export function linger(request: IncomingMessage, { ms, bytes } = lingerLimits): void {
  if (request.complete) return;
  const { socket } = request;
  const most = socket.bytesRead + bytes;
  const latest = performance.now() + ms;
  const end = (): void => void request.destroy();
  // Of a request that nobody has read, Node drops the bytes before there could be an event for them.
  const look = guarded(end, () => {
    if (socket.bytesRead > most || performance.now() > latest) end();
  });
  const timer = setInterval(look, lookMs);
  const close = guarded(end, () => clearInterval(timer));
  request.once('close', close);
  request.resume();
}
