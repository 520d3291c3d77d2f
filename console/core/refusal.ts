// What the console and the page of links make of answers to requests that they send themselves.

/** Why something was refused; status 0 if it was not answered. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    /** `error.code` of the answer. */
    readonly code: string,
    message: string,
    readonly field?: string,
    /** How long the server asks to wait. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }

  /** Whether it may succeed later. */
  get passes(): boolean {
    return passing.has(this.status) || this.status >= 500;
  }
}

/** Statuses of states that pass. */
const passing = new Set([0, 408, 409, 423, 429]);

interface Envelope {
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly field?: string };
}

const envelopeIn = (text: string): Envelope | undefined => {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined; // a proxy answered in place of the server
  }
};

/** The result in an answer. @throws Refusal. */
export function resultOf<Result>(status: number, text: string, headers: Headers): Result {
  const body = envelopeIn(text);
  if (status === 200 && body) return body.result as Result;
  throw refusalIn(status === 200 ? 502 : status, text, headers);
}

/** Why there is no result in an answer. */
export function refusalIn(status: number, text: string, headers: Headers): Refusal {
  const body = envelopeIn(text);
  const { code = `http_${status}`, message, field } = body?.error ?? {};
  const words = message ?? body?.message ?? `HTTP ${status}`;
  return new Refusal(status, code, words, field, Number(headers.get('Retry-After')) * 1_000 || 0);
}

/** A connection that broke, or that there was none. */
export const unanswered = (cause: unknown): Refusal => new Refusal(0, 'unreachable', String(cause));
