import { runInParallel, type Attack } from './attack.js';
import { Pour } from './pour.js';

const bytes = 2 * 1024 * 1024;
const head =
  'POST /api/v1/auth/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n' +
  `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${bytes}\r\n\r\n`;
const chunk = Buffer.alloc(bytes, '+');

/** Forms without a token that take long to decode, on eight connections. */
export const plusForms: Attack = {
  name: '6 forms of "+"',
  seconds: 15,
  prepare:
    async ({ port }) =>
    async (signal) => {
      const pour = new Pour();
      await runInParallel(8, signal, () => pour.send(port, { head, chunk, limit: bytes, signal }));
      return pour.toString();
    },
};
