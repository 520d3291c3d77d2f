import type { z } from 'zod';
import type { Scheme } from '../auth/authenticate.js';
import { catalogue } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { takesKeys } from './idempotency-key.js';

/** Of every request, whatever it asks for: any may bring a body, and each has a token somewhere. */
const everywhere = [
  ...['malformed_request', 'invalid_field', 'upload_interrupted'],
  ...['unauthorized', 'token_expired', 'token_revoked'],
  ...['request_timeout', 'upload_too_large', 'unsupported_media_type', 'expectation_failed'],
  ...['rate_limited', 'headers_too_large', 'internal_error', 'unavailable'],
] as const satisfies ErrorCode[];

/** Of tokens that are good for one platform or one user, refresh tokens among them. */
const ofTenants = ['platform_suspended', 'user_suspended'] as const satisfies ErrorCode[];

/** Of paths with the ids of such a token. */
const ofOwnPaths = ['forbidden'] as const satisfies ErrorCode[];

/** Of requests that lack a field which their operation always needs. */
const ofRequiredFields = ['missing_field'] as const satisfies ErrorCode[];

/** Of files, and of the room for them. */
const ofUploads = [
  ...['user_not_found', 'storage_quota_exceeded', 'platform_limit_exceeded'],
  ...[
    'unsupported_image',
    'corrupt_image',
    'image_too_large',
    'image_too_complex',
    'hash_mismatch',
  ],
] as const satisfies ErrorCode[];

/** Of bytes that may be asked for in ranges. */
const ofRanges = ['range_not_satisfiable'] as const satisfies ErrorCode[];

/** Of requests with an Idempotency-Key. */
const ofKeys = ['request_in_progress', 'idempotency_key_reused'] as const satisfies ErrorCode[];

type Common = (typeof everywhere)[number];
type RequestError = {
  [Code in ErrorCode]: (typeof catalogue)[Code]['status'] extends 400 | 410 ? Code : never;
}[ErrorCode];

/** What an operation declares of itself: codes that its kind does not have anyhow. */
export type OwnError = Exclude<RequestError, Common>;

/** What of an operation decides how it can be refused. */
export interface Refusable {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly keyless?: true;
  readonly scheme: Scheme | readonly Scheme[] | 'none';
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodObject | undefined;
  readonly upload?: object;
  readonly ranges?: true;
  readonly errors?: readonly OwnError[];
}

/** All codes that an operation can answer, in the order of the catalogue. */
export function errorsOf(operation: Refusable): ErrorCode[] {
  const { scheme, errors = [], upload, ranges } = operation;
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...(scheme === 'Admin' ? [] : ofTenants),
    ...(scheme === 'Admin' || scheme === 'none' ? [] : ofOwnPaths),
    ...(needsFields(operation) ? ofRequiredFields : []),
    ...(upload ? ofUploads : []),
    ...(ranges ? ofRanges : []),
    ...(takesKeys(operation) ? ofKeys : []),
    ...errors,
  ]);
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

const needsFields = ({ query, body, upload }: Refusable): boolean =>
  upload !== undefined || [query, body].some((schema) => schema?.safeParse({}).success === false);
