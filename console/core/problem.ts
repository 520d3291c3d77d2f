import { en } from '../messages/en';
import { t } from './i18n';
import type { PlainKey } from './i18n';

const silences = new Set(['offline', 'unreachable']);
/** 503 is also of a server that is starting, or has lost its database. */
const gatewayStatuses = new Set([502, 503, 504]);

/** Something that did not work out, in words of the API's catalogue, or of the console's own. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    /** `error.code` of the answer; `offline` and `unreachable` if there was none. */
    readonly code: string,
    message: string,
    /** Of HTTP; 0 without an answer. */
    readonly status = 0,
    /** The field at fault, if there is one. */
    readonly field?: string,
  ) {
    super(message);
  }

  /** Whether trying again may help. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether nobody was there to answer, or a proxy did instead. */
  get isSilence(): boolean {
    return silences.has(this.code) || gatewayStatuses.has(this.status);
  }
}

const isKey = (key: string): key is PlainKey => key in en;

/** Codes without words of their own are told by what the server says. */
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
  readonly error?: { readonly code?: string; readonly message?: string; readonly field?: string };
}

/** What an answer other than success says. */
export function problemOf(status: number, body: unknown): Problem {
  const { error, message } = (body ?? {}) as Envelope;
  const words = error?.message ?? message ?? `HTTP ${status}`;
  return new Problem(error?.code ?? `http_${status}`, words, status, error?.field);
}
