import type { z } from 'zod';
import type { Claims } from '../auth/claims.js';
import type { Scheme } from '../auth/guard.js';
import type { InBatches } from '../paging/batches.js';
import type { OwnError } from './operation-errors.js';
import type { StreamedAnswer } from './streamed-answer.js';
import type { ReceivedFile } from './upload.js';

/** The `:name` placeholders of a path. */
type PathOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<Rest>
  : P extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

type FieldsOf<S> = S extends z.ZodObject ? z.output<S> : unknown;

/** What is known of a request before its body is read. */
export interface Arrival<P extends string> {
  readonly path: PathOf<P>;
  /** Whom the token speaks for; its ids are those of the path. */
  readonly caller: Claims;
}

/** A checked request, as handlers see it. */
export interface Request<P extends string, Q, B> extends Arrival<P> {
  readonly input: FieldsOf<Q> & FieldsOf<B>;
  /** Makes an address of the store absolute. */
  readonly absolute: (address: string) => string;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

export interface Upload<P extends string> {
  /** Name of the multipart part that carries the file. */
  readonly part: string;
  /**
   * Runs after authorisation and before the body is read.
   * @returns bytes that the user may still store.
   */
  readonly before: (arrival: Arrival<P>) => Promise<number>;
}

interface Spec<P extends string, Q, B> {
  /** Unique name: operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Express path with `:name` placeholders. */
  readonly path: P;
  /** Scheme word of the Authorization header; `none` for the refresh operation alone. */
  readonly scheme: Scheme | 'none';
  readonly summary: string;
  /** Marks an operation that the interface does not have. */
  readonly ext?: true;
  readonly query?: Q;
  readonly body?: B;
  /** Takes none of the body's fields from the query, which proxies log. */
  readonly bodyAlone?: true;
  /** Shape of `result` in the envelope. */
  readonly result: z.ZodType;
  /** Media type of the bytes that the operation may answer with instead of the envelope. */
  readonly stream?: string;
  /** What it can be refused with, beyond what {@link errorsOf} adds for operations of its kind. */
  readonly errors?: readonly OwnError[];
}

/** One operation of the API: routing, validation, access and documentation in one piece. */
export interface Operation extends Spec<string, z.ZodObject | undefined, z.ZodObject | undefined> {
  readonly upload?: Upload<string>;
  readonly handle: (
    request: Request<string, unknown, unknown>,
    file?: ReceivedFile,
  ) => Promise<unknown>;
}

type Result<S extends { result: z.ZodType }> =
  InBatches<z.input<S['result']>> | (S extends { stream: string } ? StreamedAnswer : never);

/** Declares an operation; the handler's answer is held against `result` by its type. */
export function operation<
  const P extends string,
  Q extends z.ZodObject | undefined,
  B extends z.ZodObject | undefined,
  S extends Spec<P, Q, B>,
>(spec: Spec<P, Q, B> & S, handle: (request: Request<P, Q, B>) => Promise<Result<S>>): Operation {
  return { ...spec, handle: handle };
}

/** Declares an operation whose body is a multipart form with one file. */
export function uploadOperation<
  const P extends string,
  Q extends z.ZodObject | undefined,
  B extends z.ZodObject | undefined,
  S extends Spec<P, Q, B>,
>(
  spec: Spec<P, Q, B> & S & { readonly upload: Upload<P> },
  handle: (request: Request<P, Q, B>, file: ReceivedFile) => Promise<Result<S>>,
): Operation {
  return { ...spec, handle: handle as Operation['handle'], upload: spec.upload };
}
