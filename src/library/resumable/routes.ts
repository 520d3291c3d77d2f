import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { operation, type Operation, type ResolveUrl } from '../../http/operation.js';
import { id, timestamp } from '../../http/record-fields.js';
import type { MaybeBatched, RawJson } from '../../http/paging/batches.js';
import { imageRecord, type ImageRecord } from '../images/schemas.js';
import type { Images } from '../images/images.js';
import { ownerIn } from '../images/upload/uploads.js';
import type { VisitSecrets } from '../links/visit-secrets.js';
import type { Visitors } from '../links/visitors.js';
import type { UploadRow } from './entity.js';
import { protocolOperations } from './protocol-routes.js';
import { refusalOf, type ResumableUploads, type UploadOwner } from './resumable-uploads.js';

const uploadRecord = z
  .object({
    id,
    state: z.enum(['receiving', 'processing', 'stored', 'refused']).meta({
      description: 'processing: all bytes are there, and become an image or are refused',
    }),
    offset: z.int().meta({ description: 'bytes of the file that are stored durably' }),
    length: z.int().meta({ description: 'bytes of the file' }),
    expires_at: timestamp.meta({
      description: 'when an unfinished upload is deleted, or a finished one is forgotten',
    }),
    image: imageRecord.optional().meta({
      description: 'what it was stored as; absent once the image has been deleted',
    }),
    error: z
      .object({ code: z.string(), message: z.string(), field: z.string().optional() })
      .optional()
      .meta({ description: 'why it was refused, as in the envelope' }),
  })
  .meta({ id: 'Upload' });
type UploadRecord = z.output<typeof uploadRecord>;

interface ResumableRouteParts {
  readonly resumables: ResumableUploads;
  readonly images: Images;
  readonly clock: WallClock;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

const uploads = '/api/v1/users/:user_id/uploads' as const;

export const resumableOperations = (parts: ResumableRouteParts): Operation[] => [
  ...protocolOperations({
    ...parts,
    path: uploads,
    scheme: 'User',
    names: {
      describeAll: 'describeUploads',
      describe: 'describeUpload',
      create: 'createUpload',
      state: 'getUploadOffset',
      append: 'appendToUpload',
      end: 'deleteUpload',
    },
    metadata: {
      description:
        'the fields of an image upload under their names, `filename`, and `image_id` for a version of that image; each value in base64',
      example: 'filename cGhvdG8uanBn,has_det VHJ1ZQ==',
    },
    errors: [],
    ownerOf: ownerIn,
    shown: (_owner, id) => id,
    read: (_owner, shown) => shown,
  }),
  reading(parts),
];

const reading = ({ resumables, images, clock }: ResumableRouteParts) =>
  operation(
    {
      id: 'getUpload',
      allow: ['upload'],
      method: 'get',
      path: `${uploads}/:upload_id`,
      scheme: 'User',
      summary: 'Get an upload that resumes, with the image that it became or why it was refused',
      ext: true,
      result: uploadRecord,
      errors: ['upload_not_found', 'upload_ended'],
    },
    async ({ path, caller, resolveUrl }): Promise<MaybeBatched<UploadRecord>> => {
      const owner = ownerIn(caller);
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
): Promise<RawJson<ImageRecord> | undefined> {
  if (imageId === null) return undefined;
  try {
    return await images.get(userId, imageId, {}, resolveUrl);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'image_not_found') return undefined;
    throw error;
  }
}

function errorOf(refused: UploadRow): UploadRecord['error'] {
  const { code, message, field } = refusalOf(refused);
  return { code, message, ...(field !== undefined && { field }) };
}

interface VisitorUploadParts {
  readonly visitors: Visitors;
  readonly secrets: VisitSecrets;
  readonly resumables: ResumableUploads;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

const linkOf = ({ link }: UploadOwner): string => link?.id ?? '';

/**
 * Uploads that resume, for visitors of a link that asks for images: into its folder, with no field but
 * the hash and the sender, each file once for a link. What stands for an id does so for that link alone, so that
 * uploads of other links, and of the owner, are unknown.
 */
export const visitorUploadOperations = ({
  visitors,
  secrets,
  ...parts
}: VisitorUploadParts): Operation[] =>
  protocolOperations({
    ...parts,
    path: '/s/:secret/uploads',
    scheme: 'Link',
    names: {
      describeAll: 'describeLinkUploads',
      describe: 'describeLinkUpload',
      create: 'createLinkUpload',
      state: 'getLinkUploadOffset',
      append: 'appendToLinkUpload',
      end: 'deleteLinkUpload',
    },
    metadata: {
      description: '`filename`, `image_hash` if it is known, and `sender`; each value in base64',
      example: 'filename cGhvdG8uanBn',
    },
    errors: ['password_required'],
    ownerOf: (caller) => {
      const link = visitors.linkOf(caller, 'request');
      const { platformId, userId } = link;
      return { platformId, userId, link };
    },
    shown: (owner, id) => secrets.hideId(linkOf(owner), id),
    read: (owner, shown) => secrets.readId(linkOf(owner), shown) ?? '',
  });
