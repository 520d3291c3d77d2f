import { setTimeout as delay } from 'node:timers/promises';
import { exchange } from '../../testkit/exchange.js';
import { bytesOf } from '../../testkit/wire-request.js';
import type { Attack } from './attack.js';
import { boundary } from './pour.js';

const body = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data\r\n\r\na\r\n--${boundary}--\r\n`,
);
const request = bytesOf({
  method: 'POST',
  path: '/api/v1/auth/refresh',
  body,
  headers: [['Content-Type', `multipart/form-data; boundary=${boundary}`]],
});

/** Sends one small form without a token repeatedly. */
export const namelessPart: Attack = {
  name: '1 nameless part',
  seconds: 10,
  prepare: async (target) => async (signal) => {
    while (!signal.aborted) {
      await exchange(target.port, { chunks: [request], limitMs: 5_000 });
      await delay(100);
    }
  },
};
