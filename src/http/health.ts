import { Router } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import { secondMs } from '../base/units.js';

const probeTimeoutMs = 5 * secondMs;

/** The state of each part of a running service as reported by `/readyz`: `ok` or `down`. */
export async function readiness(baseUrl: string): Promise<Record<string, string>> {
  try {
    const answer = await fetch(`${baseUrl}/readyz`, {
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    const body = (await answer.json()) as {
      parts?: Record<string, string>;
      error?: { details?: Record<string, string> };
    };
    return body.parts ?? body.error?.details ?? { api: 'down' };
  } catch {
    return { api: 'down' };
  }
}

/** Names of the parts that are down. */
export const partsDown = (parts: Record<string, string>): string[] =>
  Object.keys(parts).filter((name) => parts[name] !== 'ok');

/** Checks a part that must work for requests to be served; throws if it does not. */
export type HealthCheck = () => Promise<void>;

/** Timeout of one readiness check. */
const checkTimeoutMs = 3 * secondMs;

/** How long check results are cached: anyone may request them, as often as they like. */
const cacheMs = secondMs;

interface HealthParts {
  /** Aborted when the service starts to shut down. */
  readonly stopping: AbortSignal;
  readonly maintenance: { readonly isOn: () => Promise<boolean> };
}

type States = Readonly<Record<string, 'ok' | 'down'>>;

/**
 * `/livez` succeeds while the process runs; `/readyz` while it can serve requests, and reports the
 * state of each part, and whether changes are refused.
 */
export function healthRouter(
  checks: Readonly<Record<string, HealthCheck>>,
  { stopping, maintenance }: HealthParts,
): Router {
  const router = Router();
  const examineAll = atMostEvery(cacheMs, () => examined(checks));
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    if (stopping.aborted) {
      const message = 'The service is shutting down.';
      throw new ServiceError('unavailable', { message });
    }
    const { parts, reason } = await examineAll();
    if (Object.values(parts).includes('down')) {
      throw new ServiceError('unavailable', { details: parts, message: reason });
    }
    response.json({ status: 'ok', parts, read_only: await maintenance.isOn() });
  });
  return router;
}

/**
 * Checks again only after the previous check has finished and `ms` have passed since it started.
 */
export function atMostEvery<T>(ms: number, check: () => Promise<T>): () => Promise<T> {
  let latest: { readonly begun: number; readonly found: Promise<T>; done: boolean } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || (latest.done && now - latest.begun >= ms)) {
      const mine = { begun: now, done: false, found: check().finally(() => (mine.done = true)) };
      latest = mine;
    }
    return latest.found;
  };
}

/** The states of all parts. */
export const statesOf = async (checks: Readonly<Record<string, HealthCheck>>): Promise<States> =>
  (await examined(checks)).parts;

/** Runs all checks. @returns also why the first part that is down is so, if clients may know it. */
async function examined(checks: Readonly<Record<string, HealthCheck>>) {
  const faults = await Promise.all(
    Object.entries(checks).map(
      async ([name, check]) => [name, await faultOf(name, check)] as const,
    ),
  );
  const reasons = faults.map(([, fault]) =>
    fault instanceof ServiceError ? fault.message : undefined,
  );
  const parts: States = Object.fromEntries(
    faults.map(([name, fault]) => [name, fault === undefined ? 'ok' : 'down']),
  );
  return { parts, reason: reasons.find((reason) => reason !== undefined) };
}

/** @returns undefined if the check succeeds. */
async function faultOf(name: string, check: HealthCheck): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `The ${name} does not answer in time.`;
    timer = setTimeout(reject, checkTimeoutMs, new ServiceError('unavailable', { message }));
  });
  return Promise.race([check(), late])
    .then(() => undefined)
    .catch((error: unknown) => error ?? new Error('unknown'))
    .finally(() => clearTimeout(timer));
}
