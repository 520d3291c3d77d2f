import { stall } from '../../testkit/exchange.js';
import type { Attack } from './attack.js';

const request = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** 20,000 requests for 1.5 MB each on a connection that reads nothing. */
export const pipelining: Attack = {
  name: '2 pipelining',
  seconds: 20,
  prepare: async (target) => () => stall(target.port, Buffer.from(request.repeat(20_000)), 20_000),
};
