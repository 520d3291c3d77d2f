import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Claims } from '../../http/auth/claims.js';
import { operation, type Operation, type ResolveUrl } from '../../http/operation.js';
import type { MaybeBatched, RawJson } from '../../http/paging/batches.js';
import type { ImageRecord } from '../images/schemas.js';
import type { Images } from '../images/images.js';
import type { ImageOwner } from '../images/upload/uploads.js';
import type { UploadRow } from './entity.js';
import { protocolOperations } from './protocol-routes.js';
import { uploadRecord, type UploadRecord } from './schemas.js';
import { refusalOf, type ResumableUploads } from './resumable-uploads.js';

export interface ResumableRouteParts {
  readonly resumables: ResumableUploads;
  readonly images: Images;
  readonly clock: WallClock;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

const uploads = '/api/v1/users/:user_id/uploads' as const;

/** The ids in a user token. */
const ownerOf = ({ platformId = '', userId = '' }: Claims): ImageOwner => ({ platformId, userId });

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
    ownerOf,
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
