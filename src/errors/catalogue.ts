interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  /** Seconds after which a retry makes sense, unless the error itself knows better. */
  readonly retryAfter?: number;
}

/**
 * Every error that a client of the API can meet: its stable code, HTTP status and sentence.
 * The one list behind answers, the OpenAPI document and the docs.
 */
export const catalogue = {
  malformed_request: { status: 400, message: 'The request is not well-formed HTTP.' },
  missing_field: { status: 400, message: 'A required field is missing.' },
  invalid_field: { status: 400, message: 'A field has a value that is not accepted.' },
  invalid_cursor: { status: 400, message: 'The paging position is not valid.' },
  platform_exists: { status: 400, message: 'A platform of this name exists already.' },
  platform_not_found: { status: 400, message: 'There is no such platform.' },
  user_exists: {
    status: 400,
    message: 'The platform has a user of this platform_user_id already.',
  },
  user_not_found: { status: 400, message: 'There is no such user.' },
  folder_not_found: { status: 400, message: 'The user has no such folder.' },
  folder_exists: { status: 400, message: 'A folder of this title exists here already.' },
  folder_cycle: { status: 400, message: 'A folder cannot move into itself or below itself.' },
  folder_too_deep: { status: 400, message: 'Folders cannot be nested deeper than 64 levels.' },
  folder_in_trash: { status: 400, message: 'The folder is in the trash.' },
  image_not_found: { status: 400, message: 'The user has no such image.' },
  image_in_trash: { status: 400, message: 'The image is in the trash; restore it first.' },
  memo_not_found: { status: 400, message: 'The image has no such memo.' },
  custom_not_found: { status: 400, message: 'The image has no such custom.' },
  unsupported_image: {
    status: 400,
    message:
      'The file is not an image of a supported format (JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC).',
  },
  image_too_large: { status: 400, message: 'The image has more pixels than this server accepts.' },
  image_too_complex: {
    status: 400,
    message: 'The image takes more work to decode than this server allows.',
  },
  corrupt_image: {
    status: 400,
    message: 'The image cannot be read: its data is damaged, or most of it is missing.',
  },
  too_many_memos: { status: 400, message: 'The image has as many memos as it may have.' },
  too_many_customs: { status: 400, message: 'The image has as many customs as it may have.' },
  too_much_text: {
    status: 400,
    message: 'The memos and customs of the image would hold more text than they may.',
  },
  storage_quota_exceeded: { status: 400, message: "The user's storage is full." },
  upload_interrupted: { status: 400, message: 'The upload ended before all of it had arrived.' },
  unauthorized: { status: 401, message: 'A valid token is required.' },
  token_expired: { status: 401, message: 'The token has expired.' },
  token_revoked: { status: 401, message: 'The token has been revoked.' },
  forbidden: { status: 403, message: 'The token does not give access to this.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'The address does not answer this method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  upload_too_large: { status: 413, message: 'The body is larger than this server accepts.' },
  unsupported_media_type: {
    status: 415,
    message: 'The body is in a media type that is not accepted.',
  },
  range_not_satisfiable: { status: 416, message: 'The file has no bytes in this range.' },
  expectation_failed: { status: 417, message: 'The server answers no such expectation.' },
  rate_limited: { status: 429, message: 'Too many requests; try again later.' },
  headers_too_large: { status: 431, message: 'The headers are larger than this server accepts.' },
  internal_error: { status: 500, message: 'Something went wrong inside the server.' },
  unavailable: {
    status: 503,
    message: 'The service is not available at the moment; try again.',
    retryAfter: 2,
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export interface ErrorExtras {
  /** A sentence for this very case, in place of the catalogue's. */
  readonly message?: string;
  /** The request field at fault. */
  readonly field?: string;
  /** Machine-readable particulars. */
  readonly details?: unknown;
  /** Seconds after which a retry makes sense, in place of the catalogue's; sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** An error that goes to the client as it is; rendered once, by the HTTP edge. */
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

/** A required field that is not there. */
export const missingField = (field: string): ServiceError =>
  new ServiceError('missing_field', { field, message: `${field} is required.` });

/** A field whose value is not accepted; `expected` completes the sentence "FIELD must be …". */
export const invalidField = (field: string, expected: string): ServiceError =>
  new ServiceError('invalid_field', { field, message: `${field} must be ${expected}.` });

/** A dependency that does not answer now. */
export const unavailable = (what: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', { message: `${what} is not available at the moment.`, cause });
