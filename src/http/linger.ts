import type { IncomingMessage } from 'node:http';
import { guarded } from '../guard.js';

/** How long, and with how many bytes, a client may go on sending a body that has been refused. */
const lingerLimits = { ms: 30_000, bytes: 256 * 1024 * 1024 };

/**
 * Throws away what is left of a request that has been answered early. Most clients read the answer
 * only when they have sent all: to close on them would lose it.
 */
export function linger(request: IncomingMessage, { ms, bytes } = lingerLimits): void {
  if (request.complete) return;
  const end = (): void => void request.destroy();
  const timer = setTimeout(guarded(end, end), ms);
  const close = guarded(end, () => clearTimeout(timer));
  let left = bytes;
  const drop = guarded(end, (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) end();
  });
  request.once('close', close);
  request.on('data', drop); // which lets it flow
  request.resume();
}
