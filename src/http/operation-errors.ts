import type { z } from 'zod';
import type { Scheme } from './auth/authenticate.js';
import { catalogue } from '../base/errors/catalogue.js';
import type { ErrorCode } from '../base/errors/catalogue.js';
import { takesKeys } from './idempotency-key.js';

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

/** Errors of tokens of a platform or user, including refresh tokens. */
const tenantErrors = ['platform_suspended', 'user_suspended'] as const satisfies ErrorCode[];

/** Errors of operations whose paths contain the ids of such a token. */
const pathErrors = ['forbidden'] as const satisfies ErrorCode[];

/** Errors of operations with required fields. */
const requiredFieldErrors = ['missing_field'] as const satisfies ErrorCode[];

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
] as const satisfies ErrorCode[];

/** Errors of operations that support ranges. */
const rangeErrors = ['range_not_satisfiable'] as const satisfies ErrorCode[];

/** Errors of operations that accept an Idempotency-Key. */
const keyErrors = ['request_in_progress', 'idempotency_key_reused'] as const satisfies ErrorCode[];

type Common = (typeof commonErrors)[number];
type RequestError = {
  [Code in ErrorCode]: (typeof catalogue)[Code]['status'] extends 400 | 410 ? Code : never;
}[ErrorCode];

/** Codes that an operation declares itself, beyond those derived from its properties. */
export type OwnError = Exclude<RequestError, Common>;

/** The properties of an operation that determine its possible errors. */
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

/** All error codes that an operation can return, in the order of the catalogue. */
export function errorsOf(operation: Refusable): ErrorCode[] {
  const { scheme, errors = [], upload, ranges } = operation;
  const codes = new Set<ErrorCode>([
    ...commonErrors,
    ...(scheme === 'Admin' ? [] : tenantErrors),
    ...(scheme === 'Admin' || scheme === 'none' ? [] : pathErrors),
    ...(needsFields(operation) ? requiredFieldErrors : []),
    ...(upload ? uploadErrors : []),
    ...(ranges ? rangeErrors : []),
    ...(takesKeys(operation) ? keyErrors : []),
    ...errors,
  ]);
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

const needsFields = ({ query, body, upload }: Refusable): boolean =>
  upload !== undefined || [query, body].some((schema) => schema?.safeParse({}).success === false);
