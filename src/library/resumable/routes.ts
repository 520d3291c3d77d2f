import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Claims } from '../../http/auth/claims.js';
import { checkedKey, replayedHeader } from '../../http/idempotency/keyed-requests.js';
import {
  operation,
  protocolOperation,
  type Exchange,
  type Operation,
  type ResolveUrl,
} from '../../http/operation.js';
import {
  announcedLength,
  assertVersion,
  bytesType,
  capabilities,
  protocolHeaders,
  sentChecksum,
  sentOffset,
  uploadHeaders,
} from '../../http/tus.js';
import type { ImageOwner } from '../images/upload/service.js';
import type { Images } from '../images/service.js';
import type { UploadRow } from './entity.js';
import { uploadRecord, type UploadRecord } from './schemas.js';
import { refusalOf, type ResumableUploads, type SentBytes } from './service.js';

export interface ResumableRouteParts {
  readonly resumables: ResumableUploads;
  readonly images: Images;
  readonly clock: WallClock;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

const uploads = '/api/v1/users/:user_id/uploads' as const;
const upload = `${uploads}/:upload_id` as const;

/** The ids in a user token. */
const ownerOf = ({ platformId = '', userId = '' }: Claims): ImageOwner => ({ platformId, userId });

const known = ['upload_not_found', 'upload_ended', 'unsupported_version'] as const;
/** Why a file may be refused, at the end or, as far as it is known, at the beginning. */
const refusals = [
  ...(['checksum_mismatch', 'hash_mismatch', 'too_much_text'] as const),
  ...(['unsupported_image', 'corrupt_image', 'image_too_large', 'image_too_complex'] as const),
  ...(['user_not_found', 'storage_quota_exceeded', 'too_many_images'] as const),
  ...(['platform_limit_exceeded', 'missing_field', 'upload_set_not_found'] as const),
  ...(['folder_not_found', 'folder_in_trash', 'not_expected'] as const),
  ...(['image_not_found', 'image_in_trash'] as const),
];

const asked = {
  version: {
    'Tus-Resumable': {
      description: 'the version of the protocol',
      example: '1.0.0',
      required: true,
    },
  },
  checksum: {
    'Upload-Checksum': {
      description:
        '"sha256", a blank, and the SHA-256 of the body in base64; other bytes are not taken',
      example: 'sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    },
  },
} as const;
const stateHeaders = ['Upload-Offset', 'Upload-Expires', 'Upload-Image-Id'] as const;

export const resumableOperations = (parts: ResumableRouteParts): Operation[] => [
  ...[uploads, upload].map((path) => describing(path, parts)),
  creating(parts),
  stating(parts),
  reading(parts),
  receiving(parts),
  ending(parts),
];

const describing = (path: typeof uploads | typeof upload, { maxBytes }: ResumableRouteParts) =>
  protocolOperation(
    {
      id: path === uploads ? 'describeUploads' : 'describeUpload',
      method: 'options',
      path,
      scheme: 'none',
      summary: 'Ask which parts of tus, the protocol of uploads that resume, are supported',
      ext: true,
      keyless: true,
      protocol: {
        headers: capabilities(maxBytes),
        asks: {},
        answers: { 204: ['What is supported', ...Object.keys(capabilities(maxBytes))] },
      },
    },
    async ({ end }) => end(204),
  );

const creating = (parts: ResumableRouteParts) =>
  protocolOperation(
    {
      id: 'createUpload',
      method: 'post',
      path: uploads,
      scheme: 'User',
      summary: 'Begin an upload that resumes where it breaks off (tus 1.0.0)',
      ext: true,
      keyless: true,
      readsKey: true,
      errors: [
        ...(['unsupported_version', 'too_many_open_uploads', 'upload_locked'] as const),
        ...(['request_in_progress', 'idempotency_key_reused'] as const),
        ...known,
        ...refusals,
      ],
      protocol: {
        headers: protocolHeaders,
        asks: {
          ...asked.version,
          'Upload-Length': { description: 'bytes of the file', example: '94514', required: true },
          'Upload-Metadata': {
            description:
              'the fields of an image upload under their names, `filename`, and `image_id` for a version of that image; each value in base64',
            example: 'filename cGhvdG8uanBn,has_det VHJ1ZQ==',
          },
          ...asked.checksum,
        },
        bytes: bytesType,
        answers: { 201: ['The upload has begun', 'Location', replayedHeader, ...stateHeaders] },
      },
    },
    async (exchange) => {
      const { path, caller, headers, body, resolveUrl, inUploadSlot, set } = exchange;
      assertVersion(exchange);
      const length = announcedLength(headers, parts.maxBytes);
      if (body.bytes !== 0) assertBytesType(body);
      if ((body.bytes ?? 0) > length) throw new ServiceError('upload_too_large');
      const sent = sentBytes(exchange, 0);
      const { 'upload-metadata': metadata } = headers;
      const { upload: begun, replayed } = await parts.resumables.create(ownerOf(caller), {
        length,
        metadata: metadata === undefined ? null : String(metadata),
        key: checkedKey(headers['idempotency-key']),
      });
      set({ Location: resolveUrl(`/api/v1/users/${path.user_id}/uploads/${begun.id}`) });
      if (replayed) set({ [replayedHeader]: 'true' });
      let now = begun;
      if (body.bytes !== 0 && !replayed) {
        await inUploadSlot(async () => {
          now = await parts.resumables.receive(ownerOf(caller), begun.id, sent);
        });
      }
      answer(exchange, 201, now);
    },
  );

const stating = (parts: ResumableRouteParts) =>
  protocolOperation(
    {
      id: 'getUploadOffset',
      method: 'head',
      path: upload,
      scheme: 'User',
      summary: 'Ask where an upload goes on',
      ext: true,
      keyless: true,
      errors: [...known, 'upload_locked'],
      protocol: {
        headers: protocolHeaders,
        asks: asked.version,
        answers: {
          200: ['The upload is known', 'Upload-Length', 'Upload-Metadata', ...stateHeaders],
        },
      },
    },
    async (exchange) => {
      const { path, caller, signal, set } = exchange;
      assertVersion(exchange);
      const found = await parts.resumables.state(ownerOf(caller), path.upload_id, signal);
      set({ 'Upload-Length': String(found.length) });
      if (found.metadata !== null) set({ 'Upload-Metadata': found.metadata });
      answer(exchange, 200, found);
    },
  );

const receiving = (parts: ResumableRouteParts) =>
  protocolOperation(
    {
      id: 'appendToUpload',
      method: 'patch',
      path: upload,
      scheme: 'User',
      summary: 'Send bytes of a file; with the last one it is stored, or refused',
      ext: true,
      keyless: true,
      waits: true,
      errors: [...known, ...refusals, ...(['wrong_offset', 'upload_locked'] as const)],
      protocol: {
        headers: protocolHeaders,
        asks: {
          ...asked.version,
          'Upload-Offset': {
            description: 'the offset of the first byte of the body in the file',
            example: '0',
            required: true,
          },
          ...asked.checksum,
        },
        bytes: bytesType,
        answers: { 204: ['The bytes are stored durably', ...stateHeaders] },
      },
    },
    async (exchange) => {
      const { path, caller, headers, body, inUploadSlot } = exchange;
      assertVersion(exchange);
      assertBytesType(body);
      const sent = sentBytes(exchange, sentOffset(headers));
      await inUploadSlot(async () => {
        const { resumables } = parts;
        answer(exchange, 204, await resumables.receive(ownerOf(caller), path.upload_id, sent));
      });
    },
  );

const ending = (parts: ResumableRouteParts) =>
  protocolOperation(
    {
      id: 'deleteUpload',
      method: 'delete',
      path: upload,
      scheme: 'User',
      summary: 'End an upload; an image that it became stays',
      ext: true,
      keyless: true,
      errors: [...known, 'upload_locked', 'user_not_found'],
      protocol: {
        headers: protocolHeaders,
        asks: asked.version,
        answers: { 204: ['The upload has ended', 'Upload-Image-Id'] },
      },
    },
    async (exchange) => {
      const { path, caller, signal, set, end } = exchange;
      assertVersion(exchange);
      const ended = await parts.resumables.terminate(ownerOf(caller), path.upload_id, signal);
      if (ended.imageId !== null) set({ 'Upload-Image-Id': ended.imageId });
      end(204);
    },
  );

const reading = ({ resumables, images, clock }: ResumableRouteParts) =>
  operation(
    {
      id: 'getUpload',
      method: 'get',
      path: upload,
      scheme: 'User',
      summary: 'Get an upload that resumes, with the image that it became or why it was refused',
      ext: true,
      result: uploadRecord,
      errors: ['upload_not_found', 'upload_ended'],
    },
    async ({ path, caller, resolveUrl }): Promise<UploadRecord> => {
      const owner = ownerOf(caller);
      const { upload: found, processing } = await resumables.peek(owner, path.upload_id);
      const { id, state, received, length, expiresAt, error } = found;
      const image = await imageOf(found, images, resolveUrl);
      return {
        id,
        state: processing ? 'processing' : (state as UploadRecord['state']),
        offset: received,
        length,
        expires_at: clock.format(expiresAt),
        ...(image && { image }),
        ...(error && { error: errorOf(found) }),
      };
    },
  );

/** The image that an upload became; undefined if it has been deleted since. */
async function imageOf(
  { userId, imageId }: UploadRow,
  images: Images,
  resolveUrl: ResolveUrl,
): Promise<UploadRecord['image']> {
  if (imageId === null) return undefined;
  try {
    return (await images.get(userId, imageId, {}, resolveUrl)) as UploadRecord['image'];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'image_not_found') return undefined;
    throw error;
  }
}

function errorOf(refused: UploadRow): UploadRecord['error'] {
  const { code, message, field } = refusalOf(refused);
  return { code, message, ...(field !== undefined && { field }) };
}

/** @throws ServiceError `invalid_field`. */
const sentBytes = ({ headers, body, signal }: Exchange<string>, offset: number): SentBytes => ({
  offset,
  body,
  signal,
  checksum: sentChecksum(headers),
});

/** @throws ServiceError `unsupported_media_type`. */
function assertBytesType({ type }: Exchange<string>['body']): void {
  if (type === bytesType) return;
  throw new ServiceError('unsupported_media_type', {
    message: `Send the bytes as ${bytesType}, without a Content-Encoding.`,
  });
}

/**
 * Of a refused upload, a client is told to send the last byte once more: the answer to that is the
 * reason. For one that says "all there", clients report success; for an error, they begin anew.
 */
const offsetOf = ({ state, received, length }: UploadRow): number =>
  state === 'refused' ? length - 1 : received;

function answer({ set, end }: Exchange<string>, status: number, found: UploadRow): void {
  const { state, expiresAt, imageId } = found;
  set(
    uploadHeaders({
      offset: offsetOf(found),
      expiresAt: state === 'receiving' ? expiresAt : undefined,
      imageId,
    }),
  );
  end(status);
}
