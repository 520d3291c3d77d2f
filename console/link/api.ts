import type { components } from '../../clients/typescript/src/index.js';

type Schemas = components['schemas'];
export type VisitedLink = Schemas['VisitedLink'];
export type Picture = Schemas['LinkPicture'];
export type PicturePage = Schemas['LinkPictures'];

/** The path of the page, below which is everything that it asks for. */
const page = location.pathname.replace(/\/$/, '');

export const addressOf = (path: string): string => `${page}/${path}`;

/** A request that was refused, or not answered: then its status is 0. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** How long the server asks to wait. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }

  /** Whether it may succeed later. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the link itself is the reason. */
  get isOfLink(): boolean {
    return this.status === 404 || this.status === 410 || this.code === 'password_required';
  }
}

interface Envelope<Result> {
  readonly message?: string;
  readonly result: Result;
  readonly error?: { readonly code: string };
}

/** The result in an answer. @throws Refusal. */
export function resultOf<Result>(status: number, text: string): Result {
  let body: Envelope<Result> | undefined;
  try {
    body = JSON.parse(text) as Envelope<Result>;
  } catch {
    // A proxy answered in place of the server.
  }
  if (status === 200 && body) return body.result;
  const [code, message] = [body?.error?.code ?? 'unknown', body?.message ?? `HTTP ${status}`];
  throw new Refusal(status === 200 ? 502 : status, code, message);
}

/** @throws Refusal. */
export async function ask<Result>(path: string, init?: RequestInit): Promise<Result> {
  const answer = await fetch(addressOf(path), init).catch((cause: unknown) => {
    throw new Refusal(0, 'unreachable', String(cause));
  });
  return resultOf(answer.status, await answer.text());
}

export const post = <Result>(path: string, fields: object): Promise<Result> =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
