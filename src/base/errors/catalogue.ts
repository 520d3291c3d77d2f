interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  /** Seconds after which a retry makes sense, unless the error itself says otherwise. */
  readonly retryAfter?: number;
}

/**
 * Every error that an API client can receive: stable code, HTTP status, and message. Responses, the
 * OpenAPI document, and the docs are all generated from this list.
 */
export const catalogue = {
  malformed_request: { status: 400, message: 'The request is not well-formed HTTP.' },
  missing_field: { status: 400, message: 'A required field is missing.' },
  invalid_field: { status: 400, message: 'A field has an invalid value.' },
  invalid_cursor: { status: 400, message: 'The paging position is invalid.' },
  platform_exists: { status: 400, message: 'A platform with this name already exists.' },
  platform_not_found: { status: 400, message: 'No such platform.' },
  user_exists: {
    status: 400,
    message: 'The platform already has a user with this platform_user_id.',
  },
  user_not_found: { status: 400, message: 'No such user.' },
  folder_not_found: { status: 400, message: 'No such folder.' },
  folder_exists: { status: 400, message: 'A folder with this title already exists here.' },
  folder_cycle: {
    status: 400,
    message: 'A folder cannot be moved into itself or one of its subfolders.',
  },
  folder_too_deep: { status: 400, message: 'Folders cannot be nested deeper than 64 levels.' },
  folder_in_trash: { status: 400, message: 'The folder is in the trash.' },
  image_not_found: { status: 400, message: 'No such image.' },
  image_in_trash: { status: 400, message: 'The image is in the trash; restore it first.' },
  image_not_in_trash: {
    status: 400,
    message: 'The image is not in the trash; move it there first.',
  },
  memo_not_found: { status: 400, message: 'The image has no such memo.' },
  custom_not_found: { status: 400, message: 'The image has no such custom.' },
  custom_ambiguous: {
    status: 400,
    message: 'The image has several customs with this key; change the one by its id.',
  },
  upload_set_not_found: { status: 400, message: 'No such upload set.' },
  too_many_images: {
    status: 400,
    message: 'The user has too many images; delete some for good.',
  },
  too_many_files: { status: 400, message: 'The form has more than one file.' },
  too_many_folders: {
    status: 400,
    message: 'The user has too many folders; delete some for good.',
  },
  too_many_upload_sets: {
    status: 400,
    message: 'The user has too many upload sets; delete some that are complete or given up.',
  },
  too_many_archives: {
    status: 400,
    message:
      'The user has too many open addresses of archives and ledgers; use one, or wait until it expires.',
  },
  hold_not_found: { status: 400, message: 'The platform has no such hold.' },
  link_not_found: { status: 400, message: 'The user has no such link.' },
  too_many_links: {
    status: 400,
    message: 'The user already has the maximum number of links; delete some.',
  },
  too_many_open_uploads: {
    status: 400,
    message: 'The user has too many unfinished uploads; finish or delete some.',
  },
  not_expected: { status: 400, message: 'The upload set does not expect this file.' },
  hash_mismatch: { status: 400, message: 'The file that arrived is not the one that was meant.' },
  unsupported_image: {
    status: 400,
    message:
      'The file is not an image of a supported format (JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC).',
  },
  image_too_large: { status: 400, message: 'The image has more pixels than this server accepts.' },
  image_too_complex: {
    status: 400,
    message: 'The image requires more work to decode than this server allows.',
  },
  corrupt_image: {
    status: 400,
    message: 'The image cannot be decoded: its data is damaged or most of it is missing.',
  },
  identity_not_found: { status: 400, message: 'The platform has no identity provider.' },
  token_not_found: { status: 400, message: 'There is no such token, or it has ended.' },
  session_not_found: { status: 400, message: 'There is no such session, or it has ended.' },
  too_many_tokens: {
    status: 400,
    message: 'The owner already has the maximum number of narrow tokens; delete some.',
  },
  webhook_not_found: { status: 400, message: 'The platform has no such webhook.' },
  too_many_webhooks: {
    status: 400,
    message: 'The platform already has the maximum number of webhooks.',
  },
  too_many_memos: { status: 400, message: 'The image already has the maximum number of memos.' },
  too_many_customs: {
    status: 400,
    message: 'The image already has the maximum number of customs.',
  },
  too_much_text: {
    status: 400,
    message: 'The memos and customs of the image would exceed the text limit.',
  },
  storage_quota_exceeded: { status: 400, message: "The user's storage quota is exceeded." },
  platform_limit_exceeded: { status: 400, message: 'A limit of the platform is exceeded.' },
  upload_interrupted: { status: 400, message: 'Upload interrupted.' },
  unauthorized: { status: 401, message: 'A valid token is required.' },
  token_expired: { status: 401, message: 'The token has expired.' },
  token_revoked: { status: 401, message: 'The token has been revoked.' },
  forbidden: { status: 403, message: 'The token does not grant access to this resource.' },
  not_allowed: {
    status: 403,
    message: 'The token does not allow this; details.needs says what it takes.',
  },
  platform_suspended: { status: 403, message: 'The platform is suspended.' },
  user_suspended: { status: 403, message: 'The user is suspended.' },
  password_required: { status: 403, message: 'The link opens only with its password.' },
  not_found: { status: 404, message: 'No such route.' },
  upload_not_found: { status: 404, message: 'No such upload.' },
  method_not_allowed: { status: 405, message: 'This route does not support the method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  request_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress; repeat this one later.',
    retryAfter: 1,
  },
  issuer_taken: {
    status: 409,
    message: 'Another platform has this issuer with this audience; use another audience.',
  },
  held: { status: 409, message: 'A hold keeps this, or something of it, from being deleted.' },
  wrong_offset: {
    status: 409,
    message: 'The upload continues at another offset; ask for it with HEAD.',
  },
  feed_expired: {
    status: 410,
    message: 'Changes that old are no longer kept; read a snapshot, then continue after it.',
  },
  link_ended: { status: 410, message: 'The link is no longer open.' },
  upload_ended: { status: 410, message: 'The upload has expired or was deleted; begin a new one.' },
  precondition_failed: {
    status: 412,
    message: 'What If-Match or If-Unmodified-Since demands is not so.',
  },
  unsupported_version: {
    status: 412,
    message: 'Send "Tus-Resumable: 1.0.0", the only version of the protocol that is supported.',
  },
  upload_too_large: {
    status: 413,
    message: 'The request body is larger than this server accepts.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The media type of the request body is not supported.',
  },
  range_not_satisfiable: { status: 416, message: 'The requested range is outside the file.' },
  expectation_failed: {
    status: 417,
    message: 'The expectation in the Expect header is not supported.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key belongs to another request; use a new one for each.',
  },
  upload_locked: {
    status: 423,
    message: 'Another request is writing to the upload; try again.',
    retryAfter: 5,
  },
  rate_limited: { status: 429, message: 'Too many requests; try again later.' },
  headers_too_large: { status: 431, message: 'The headers are larger than this server accepts.' },
  checksum_mismatch: {
    status: 460,
    message: 'What arrived differs from its Upload-Checksum; send it again.',
  },
  internal_error: { status: 500, message: 'Internal server error.' },
  maintenance: {
    status: 503,
    message: 'The service is being maintained and takes no changes; reading works.',
    retryAfter: 60,
  },
  unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable; try again later.',
    retryAfter: 2,
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

interface ErrorExtras {
  /** A message for this specific case, replacing the catalogue's. */
  readonly message?: string;
  /** The request field at fault. */
  readonly field?: string;
  /** Machine-readable details. */
  readonly details?: unknown;
  /** Seconds after which a retry makes sense, replacing the catalogue's; sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** An error whose content may be sent to the client; rendered once, at the HTTP edge. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly field: string | undefined;
  readonly details: unknown;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    super(extras.message ?? catalogue[code].message, { cause: extras.cause });
    const { status, retryAfter }: CatalogueEntry = catalogue[code];
    this.status = status;
    this.field = extras.field;
    this.details = extras.details;
    this.retryAfter = extras.retryAfter ?? retryAfter;
  }
}

/** A required field that is missing. */
export const missingField = (field: string, wanted = field): ServiceError =>
  new ServiceError('missing_field', { field, message: `${wanted} is required.` });

/** A field with an invalid value; `expected` completes the sentence "FIELD must be …". */
export const invalidField = (field: string, expected: string): ServiceError =>
  new ServiceError('invalid_field', { field, message: `${field} must be ${expected}.` });

/** A dependency that is currently unavailable. */
export const unavailable = (what: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', { message: `${what} is temporarily unavailable.`, cause });
