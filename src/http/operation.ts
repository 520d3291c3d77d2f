import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { catalogue, type ErrorCode } from '../base/errors/catalogue.js';
import type { Needs } from './auth/allow.js';
import type { Claims, AllowWord } from './auth/claims.js';
import type { VersionedResponse } from './ranged-response.js';
import type { MaybeBatched } from './paging/batches.js';
import type { StreamedResponse } from './streamed-response.js';
import type { ReceivedFile } from './upload.js';

/** The scheme words of the Authorization header. */
export type Scheme = 'Admin' | 'Platform' | 'User';

/** The `:name` placeholders of a path. */
type PathOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<Rest>
  : P extends `${string}:${infer Name}.${string}`
    ? { readonly [K in Name]: string }
    : P extends `${string}:${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown;

type FieldsOf<S> = S extends z.ZodObject ? z.output<S> : unknown;

/** What is known about a request before its body is read. */
export interface Arrival<P extends string> {
  readonly path: PathOf<P>;
  /** The holder of the token; its ids match those in the path. */
  readonly caller: Claims;
}

/** Makes a URL of the store absolute. */
export interface ResolveUrl {
  (url: string): string;
  /** Returns a placeholder for the URL of an object, for stored answers that outlive the URL. */
  readonly ofObject?: (key: string, name?: string) => string;
  /** The caller may not read: the URLs of objects are null. */
  readonly withholds?: boolean;
}

/** A validated request, as seen by handlers. */
export interface Request<P extends string, Q, B> extends Arrival<P> {
  readonly input: FieldsOf<Q> & FieldsOf<B>;
  readonly resolveUrl: ResolveUrl;
  /** A header of the request. */
  readonly header: (name: string) => string | undefined;
  /** Sets a header of the response besides the usual ones. */
  readonly setHeader: (name: string, value: string) => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The body of an exchange. */
export interface SentBody {
  /** Its length; 0 if there is none, undefined if it comes in chunks. */
  readonly bytes: number | undefined;
  /** Media type in lowercase; empty if the request does not say, or if the body is encoded. */
  readonly type: string;
  /**
   * Asks a client that waits to send it, and reads it.
   * @param limits `bytes` at most, with at most `ms` milliseconds between them, until `until` is aborted.
   * @throws ServiceError `upload_too_large`; `upload_interrupted` wherever it ends early.
   */
  readonly read: (limits: {
    readonly bytes: number;
    readonly ms: number;
    readonly until: AbortSignal;
  }) => AsyncIterable<Buffer>;
}

/** A request whose handler reads the body and writes the answer itself, by another protocol. */
export interface Exchange<P extends string> extends Arrival<P> {
  /** The path of the request as it was sent, without a slash at its end. */
  readonly at: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: SentBody;
  readonly resolveUrl: ResolveUrl;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Runs work that receives a file, as soon as its user may have another upload open. */
  readonly inUploadSlot: (work: () => Promise<void>) => Promise<void>;
  /** Closes the connection soon after the answer, unless the body has arrived by then: it is not needed. */
  readonly leaveBody: () => void;
  /** Sets headers of the answer, even if it is an error. */
  readonly set: (headers: Readonly<Record<string, string>>) => void;
  /** Answers without a body. */
  readonly end: (status: number) => void;
}

interface AskedHeader {
  readonly description: string;
  readonly example: string;
  readonly required?: true;
}

/** What the document says of an exchange. */
export interface Protocol {
  /** Headers of every answer, those with an error included. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the request beside those of every request. */
  readonly asks: Readonly<Record<string, AskedHeader>>;
  /** Media type of its body, if it has one. */
  readonly bytes?: string;
  /** Successful answers: descriptions, and the names of their headers. */
  readonly answers: Readonly<Record<number, readonly [description: string, ...headers: string[]]>>;
}

interface Upload<P extends string, B> {
  /** Name of the multipart part that carries the file. */
  readonly part: string;
  /**
   * Runs after authorization and before the body is read.
   * @returns bytes that the user may still store.
   */
  readonly before: (arrival: Arrival<P>) => Promise<number>;
  /**
   * Runs when the file is about to arrive, for what would be refused whatever follows.
   * @param announced the valid fields before the file, and its SHA-256 if the client names it.
   */
  readonly beforeFile?: (arrival: Arrival<P>, announced: Announced<B>) => Promise<void>;
}

/** What is known of an upload before its file arrives. */
export interface Announced<B> {
  readonly input: FieldsOf<B>;
  readonly hash: Buffer | undefined;
}

interface Spec<P extends string, Q, B> {
  /** Unique name: the operationId in the OpenAPI document. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options';
  /** Express path with `:name` placeholders. */
  readonly path: P;
  /**
   * Scheme words of the Authorization header; `none` only for the refresh operation, `Link` for
   * visitors of the link whose secret is in the path. On a path without a platform id, the handler
   * has to check that a platform's token accesses only its own users.
   */
  readonly scheme: Scheme | readonly Scheme[] | 'none' | 'Link';
  /** What a narrow token needs; nothing where no token is sent. */
  readonly allow: Needs;
  /**
   * Values of fields that need other words: a request with no other field of the body needs those in
   * place of `allow`.
   */
  readonly allowFields?: Readonly<Record<string, Readonly<Record<string, readonly AllowWord[]>>>>;
  /** Of a link: open to visitors who have not entered its password yet. */
  readonly beforePassword?: true;
  readonly summary: string;
  /** Marks an operation that is not part of the original interface. */
  readonly ext?: true;
  /** Its requests may wait for a long time and do not count as in progress for their caller. */
  readonly waits?: true;
  readonly query?: Q;
  readonly body?: B;
  /** Goes on in maintenance, whatever its method: it reads, or signs in. */
  readonly inMaintenance?: true;
  /** Ignores an Idempotency-Key: changes nothing, or issues tokens, which must not be stored. */
  readonly keyless?: true;
  /** Keyless, but its handler reads the Idempotency-Key. */
  readonly readsKey?: true;
  /** Does not accept body fields in the query, which proxies log. */
  readonly bodyAlone?: true;
  /** Schema of `result` in the envelope. */
  readonly result: z.ZodType;
  /** Media types of the bytes that the operation may return instead of the envelope. */
  readonly stream?: string | readonly string[];
  /** Successful responses never have the envelope: `result` describes the body of type `stream`. */
  readonly bare?: true;
  /**
   * Responses have an ETag: 304 if the client has that version, 204 if it is empty. Without a `stream`,
   * they are envelopes.
   */
  readonly versioned?: true;
  /** The signature of a link in the query is accepted in place of a token. */
  readonly signed?: true;
  /** Nothing is needed in place of a token where the platform publishes its log. */
  readonly published?: true;
  /** The last placeholder takes the rest of the path, slashes included. */
  readonly takesRest?: true;
  /** Error codes beyond those that {@link errorsOf} derives from the properties above. */
  readonly errors?: readonly OwnError[];
}

/** One operation of the API: routing, validation, access, and documentation in one declaration. */
export interface Operation extends Spec<string, z.ZodObject | undefined, z.ZodObject | undefined> {
  readonly upload?: Upload<string, unknown>;
  readonly handle: (
    request: Request<string, unknown, unknown>,
    file?: ReceivedFile,
  ) => Promise<unknown>;
  readonly protocol?: Protocol & {
    readonly converse: (exchange: Exchange<string>) => Promise<void>;
  };
}

type Result<S extends { result: z.ZodType }> =
  | (S extends { versioned: true } ? VersionedResponse : MaybeBatched<z.input<S['result']>>)
  | (S extends { stream: string | readonly string[] } ? StreamedResponse : never);

/** The media types of an operation's bytes. */
export const streamsOf = ({ stream = [] }: Pick<Operation, 'stream'>): readonly string[] =>
  typeof stream === 'string' ? [stream] : stream;

/** The schemes that an operation accepts. */
export const schemesOf = ({ scheme }: Pick<Operation, 'scheme'>): readonly Scheme[] =>
  scheme === 'none' || scheme === 'Link' ? [] : typeof scheme === 'string' ? [scheme] : scheme;

/** Declares an operation; the handler's result is type-checked against `result`. */
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
  spec: Spec<P, Q, B> & S & { readonly upload: Upload<P, B> },
  handle: (request: Request<P, Q, B>, file: ReceivedFile) => Promise<Result<S>>,
): Operation {
  const upload = spec.upload as unknown as Upload<string, unknown>;
  return { ...spec, handle: handle as Operation['handle'], upload };
}

/** Declares an operation of another protocol, whose answers have no envelope unless they are errors. */
export function protocolOperation<const P extends string>(
  spec: Omit<Spec<P, undefined, undefined>, 'result'> & { readonly protocol: Protocol },
  converse: (exchange: Exchange<P>) => Promise<void>,
): Operation {
  return {
    ...spec,
    result: z.null(),
    handle: () => Promise.resolve(null),
    protocol: {
      ...spec.protocol,
      converse,
    },
  };
}

/** Errors of every operation, since any request may have a body and a token. */
const commonErrors = [
  'malformed_request',
  'invalid_field',
  'upload_interrupted',
  'unauthorized',
  'token_expired',
  'token_revoked',
  'request_timeout',
  'upload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

/** Errors of uploads: quotas, and files that are rejected. */
const uploadErrors = [
  'user_not_found',
  'storage_quota_exceeded',
  'too_many_images',
  'platform_limit_exceeded',
  'unsupported_image',
  'corrupt_image',
  'image_too_large',
  'image_too_complex',
  'hash_mismatch',
  'too_many_files',
] as const satisfies ErrorCode[];

type Common = (typeof commonErrors)[number];
type RequestError = {
  [Code in ErrorCode]: (typeof catalogue)[Code]['status'] extends
    (400 | 404 | 409 | 410) | (412 | 422 | 423 | 460)
    ? Code
    : never;
}[ErrorCode];

/** Of links: with a password, and of addresses that end. */
type LinkError = 'password_required' | 'forbidden';

/** Codes that an operation declares itself, beyond those derived from its properties. */
type OwnError = Exclude<RequestError, Common> | LinkError;

/** Whether an operation accepts an Idempotency-Key. */
export const takesKeys = ({ method, keyless }: Pick<Operation, 'method' | 'keyless'>): boolean =>
  method !== 'get' && keyless !== true;

/** Whether an operation changes what maintenance keeps as it is. */
export const isChange = ({ method, inMaintenance }: Pick<Operation, 'method' | 'inMaintenance'>) =>
  !['get', 'head', 'options'].includes(method) && inMaintenance !== true;

/** All error codes that an operation can return, in the order of the catalogue. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { scheme, errors = [], upload } = operation;
  const isOfLink = scheme === 'Link';
  const where = (holds: boolean, ...those: readonly ErrorCode[]) => (holds ? those : []);
  const codes = new Set<ErrorCode>([
    ...commonErrors,
    // Of tokens of a platform or user, also of refresh tokens; then of paths with the ids of one.
    ...where(scheme !== 'Admin' && !isOfLink, 'platform_suspended', 'user_suspended'),
    ...where(scheme !== 'Admin' && !isOfLink && scheme !== 'none', 'forbidden'),
    // Of a token, which may be a narrow one.
    ...where(schemesOf(operation).length > 0, 'not_allowed'),
    ...where(isOfLink, 'not_found', 'link_ended'),
    ...where(needsFields(operation), 'missing_field'),
    ...(upload ? uploadErrors : []),
    ...where(operation.versioned === true, 'precondition_failed'),
    // The user of the path may be `me`.
    ...where(operation.path.includes('/:user_id'), 'user_not_found'),
    ...where(takesKeys(operation), 'request_in_progress', 'idempotency_key_reused'),
    ...where(isChange(operation), 'maintenance'),
    ...errors,
  ]);
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

const needsFields = ({ query, body, upload }: Operation): boolean =>
  upload !== undefined || [query, body].some((schema) => schema?.safeParse({}).success === false);
