import { ServiceError } from '../../base/errors/catalogue.js';
import type { Claims } from '../../http/auth/claims.js';
import { checkedKey, replayedHeader } from '../../http/idempotency/keyed-requests.js';
import { protocolOperation, type Exchange, type Operation } from '../../http/operation.js';
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
import { sentMetadata } from './announcement.js';
import type { UploadRow } from './entity.js';
import type { ResumableUploads, SentBytes, UploadOwner } from './resumable-uploads.js';

type Action = 'describeAll' | 'describe' | 'create' | 'state' | 'append' | 'end';

/** Where uploads begin and go on: below a user, or below a link. */
export interface Entrance {
  readonly resumables: ResumableUploads;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Path of new uploads; that of one upload has `/:upload_id` in addition. */
  readonly path: string;
  readonly scheme: 'User' | 'Link';
  /** Names of the operations. */
  readonly names: Readonly<Record<Action, string>>;
  /** What Upload-Metadata may say. */
  readonly metadata: { readonly description: string; readonly example: string };
  /** Why its requests may be refused, beside what any of these are. */
  readonly errors: readonly 'password_required'[];
  /** @throws ServiceError unless uploads are for this caller. */
  readonly ownerOf: (caller: Claims) => UploadOwner;
  /** What stands for the id of an upload or image in answers, … */
  readonly shown: (owner: UploadOwner, id: string) => string;
  /** … and the id of an upload that it stands for, if any. */
  readonly read: (owner: UploadOwner, shown: string) => string;
}

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

/** The operations of tus. */
export const protocolOperations = (entrance: Entrance): Operation[] => [
  describing(entrance, 'describeAll'),
  describing(entrance, 'describe'),
  creating(entrance),
  stating(entrance),
  receiving(entrance),
  ending(entrance),
];

/** What all but descriptions share. */
const common = ({ scheme }: Entrance) =>
  ({
    scheme,
    allow: scheme === 'Link' ? ([] as const) : (['upload'] as const),
    ext: true,
    keyless: true,
  }) as const;

const pathOfOne = ({ path }: Entrance): string => `${path}/:upload_id`;

/** The owner and the id in the path of one upload. */
function found({ ownerOf, read }: Entrance, { caller, path }: Exchange<string>) {
  const owner = ownerOf(caller);
  return { owner, id: read(owner, (path as { readonly upload_id: string }).upload_id) };
}

const describing = (entrance: Entrance, what: 'describeAll' | 'describe') =>
  protocolOperation(
    {
      id: entrance.names[what],
      method: 'options',
      path: what === 'describe' ? pathOfOne(entrance) : entrance.path,
      scheme: 'none',
      allow: [],
      summary: 'Ask which parts of tus, the protocol of uploads that resume, are supported',
      ext: true,
      keyless: true,
      protocol: {
        headers: capabilities(entrance.maxBytes),
        asks: {},
        answers: { 204: ['What is supported', ...Object.keys(capabilities(entrance.maxBytes))] },
      },
    },
    async ({ end }) => end(204),
  );

const creating = (entrance: Entrance) =>
  protocolOperation(
    {
      ...common(entrance),
      id: entrance.names.create,
      method: 'post',
      path: entrance.path,
      summary: 'Begin an upload that resumes where it breaks off (tus 1.0.0)',
      readsKey: true,
      errors: [
        ...entrance.errors,
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
          'Upload-Metadata': entrance.metadata,
          ...asked.checksum,
        },
        bytes: bytesType,
        answers: { 201: ['The upload has begun', 'Location', replayedHeader, ...stateHeaders] },
      },
    },
    async (exchange) => {
      const { at, caller, headers, body, resolveUrl, inUploadSlot, set } = exchange;
      const owner = entrance.ownerOf(caller);
      assertVersion(exchange);
      const length = announcedLength(headers, entrance.maxBytes);
      if (body.bytes !== 0) assertBytesType(body);
      if ((body.bytes ?? 0) > length) throw new ServiceError('upload_too_large');
      const sent = sentBytes(exchange, 0);
      const { 'upload-metadata': metadata } = headers;
      const { upload: begun, replayed } = await entrance.resumables.create(owner, {
        length,
        metadata: metadata === undefined ? null : String(metadata),
        key: checkedKey(headers['idempotency-key']),
      });
      set({ Location: resolveUrl(`${at}/${entrance.shown(owner, begun.id)}`) });
      if (replayed) set({ [replayedHeader]: 'true' });
      let now = begun;
      if (body.bytes !== 0 && !replayed) {
        await inUploadSlot(async () => {
          now = await entrance.resumables.receive(owner, begun.id, sent);
        });
      }
      answer(entrance, exchange, owner, 201, now);
    },
  );

const stating = (entrance: Entrance) =>
  protocolOperation(
    {
      ...common(entrance),
      id: entrance.names.state,
      method: 'head',
      path: pathOfOne(entrance),
      summary: 'Ask where an upload goes on',
      errors: [...entrance.errors, ...known, 'upload_locked'],
      protocol: {
        headers: protocolHeaders,
        asks: asked.version,
        answers: {
          200: ['The upload is known', 'Upload-Length', 'Upload-Metadata', ...stateHeaders],
        },
      },
    },
    async (exchange) => {
      const { signal, set } = exchange;
      assertVersion(exchange);
      const { owner, id } = found(entrance, exchange);
      const upload = await entrance.resumables.state(owner, id, signal);
      set({ 'Upload-Length': String(upload.length) });
      const metadata = sentMetadata(upload.metadata);
      if (metadata !== null) set({ 'Upload-Metadata': metadata });
      answer(entrance, exchange, owner, 200, upload);
    },
  );

const receiving = (entrance: Entrance) =>
  protocolOperation(
    {
      ...common(entrance),
      id: entrance.names.append,
      method: 'patch',
      path: pathOfOne(entrance),
      summary: 'Send bytes of a file; with the last one it is stored, or refused',
      waits: true,
      errors: [
        ...entrance.errors,
        ...known,
        ...refusals,
        ...(['wrong_offset', 'upload_locked'] as const),
      ],
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
      const { headers, body, inUploadSlot, leaveBody } = exchange;
      const { owner, id } = found(entrance, exchange);
      assertVersion(exchange);
      assertBytesType(body);
      const sent = sentBytes(exchange, sentOffset(headers));
      await inUploadSlot(async () => {
        const upload = await entrance.resumables
          .receive(owner, id, sent)
          .catch((error: unknown) => {
            // Browsers repeat a request by themselves when a connection that they had used before breaks,
            // with all of its body; they would send it to the end before they read the answer.
            if (error instanceof ServiceError && error.code === 'wrong_offset') leaveBody();
            throw error;
          });
        answer(entrance, exchange, owner, 204, upload);
      });
    },
  );

const ending = (entrance: Entrance) =>
  protocolOperation(
    {
      ...common(entrance),
      id: entrance.names.end,
      method: 'delete',
      path: pathOfOne(entrance),
      summary: 'End an upload; an image that it became stays',
      errors: [...entrance.errors, ...known, 'upload_locked', 'user_not_found'],
      protocol: {
        headers: protocolHeaders,
        asks: asked.version,
        answers: { 204: ['The upload has ended', 'Upload-Image-Id'] },
      },
    },
    async (exchange) => {
      const { signal, set, end } = exchange;
      assertVersion(exchange);
      const { owner, id } = found(entrance, exchange);
      const { imageId } = await entrance.resumables.terminate(owner, id, signal);
      if (imageId !== null) set({ 'Upload-Image-Id': entrance.shown(owner, imageId) });
      end(204);
    },
  );

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

function answer(
  { shown }: Entrance,
  { set, end }: Exchange<string>,
  owner: UploadOwner,
  status: number,
  upload: UploadRow,
): void {
  const { state, expiresAt, imageId } = upload;
  set(
    uploadHeaders({
      offset: offsetOf(upload),
      expiresAt: state === 'receiving' ? expiresAt : undefined,
      imageId: imageId === null ? null : shown(owner, imageId),
    }),
  );
  end(status);
}
