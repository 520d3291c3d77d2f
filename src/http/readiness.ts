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
