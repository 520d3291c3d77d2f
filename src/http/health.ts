import { Router } from 'express';
import { ServiceError } from '../errors/catalogue.js';

/** A part that must work for requests to be served; throws when it does not. */
export type Check = () => Promise<void>;

/** Longest time that one readiness check may take. */
const checkTimeoutMs = 3_000;

/** `/livez` while the process runs; `/readyz` while it can serve, with the state of each part. */
export function healthRouter(checks: Readonly<Record<string, Check>>): Router {
  const router = Router();
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await works(check)] as const),
    );
    const parts = Object.fromEntries(states.map(([name, ok]) => [name, ok ? 'ok' : 'down']));
    if (states.some(([, ok]) => !ok)) {
      throw new ServiceError('unavailable', { details: parts, retryAfter: 2 });
    }
    response.json({ status: 'ok', parts });
  });
  return router;
}

async function works(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, checkTimeoutMs, new Error('no answer in time'));
  });
  return Promise.race([check(), late])
    .then(() => true)
    .catch(() => false)
    .finally(() => clearTimeout(timer));
}
