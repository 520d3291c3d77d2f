import { en } from '../messages/en';
import { t } from './i18n';
import type { PlainKey } from './i18n';

const silences = new Set(['offline', 'unreachable']);
/** A server that is starting, or has lost its database, also answers 503. */
const gatewayStatuses = new Set([502, 503, 504]);

/** A failure, with a code of the API's catalogue or one of the console's own. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    /** `error.code` of the answer; `offline` and `unreachable` if there was none. */
    readonly code: string,
    message: string,
    /** HTTP status; 0 without an answer. */
    readonly status = 0,
    /** The field at fault, if there is one. */
    readonly field?: string,
    /** What else the answer says, by its code. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** Whether a retry may help. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the server did not answer, or a proxy answered in its place. */
  get isSilence(): boolean {
    return silences.has(this.code) || gatewayStatuses.has(this.status);
  }
}

/** Whether a retry may help. */
export const mayPass = (problem: unknown): boolean =>
  !(problem instanceof Problem) || problem.passes;

const isKey = (key: string): key is PlainKey => key in en;

/** Codes without a message of the console use that of the server. */
export function wordsOf(problem: unknown): { title: string; remedy: string | undefined } {
  const { code, message } =
    problem instanceof Problem ? problem : { code: 'unexpected', message: String(problem) };
  const key = `problem.${code}`;
  const remedy = `remedy.${code}`;
  return {
    title: isKey(key) ? t(key) : message,
    remedy: isKey(remedy) ? t(remedy) : undefined,
  };
}

interface Envelope {
  readonly message?: string;
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly field?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** The problem that an unsuccessful answer describes. */
export function problemOf(status: number, body: unknown): Problem {
  const { error, message } = (body ?? {}) as Envelope;
  const words = error?.message ?? message ?? `HTTP ${status}`;
  const code = error?.code ?? `http_${status}`;
  return new Problem(code, words, status, error?.field, error?.details);
}
