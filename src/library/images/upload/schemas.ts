import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { ext } from '../../../http/record-fields.js';
import { clearable, identifier, oneOf, triState, wallTime } from '../../../http/request-fields.js';
import { fileHashFields } from '../../../http/upload.js';
import { memoMessage } from '../../annotations/schemas.js';
import { addressFields, cameraFields, coordinateFields } from '../schemas.js';

/** Fields of an image upload besides its file. */
export const uploadFields = (clock: WallClock) =>
  z.object({
    folder_id: clearable(identifier).optional().meta({
      description:
        'blank: the top level; empty or absent: the folder of the upload set, if any, or the top level',
    }),
    ...coordinateFields,
    ...addressFields,
    ...cameraFields,
    created_at: wallTime(clock).optional(),
    upload_type: oneOf(['camera', 'gallery', 'request']).default('gallery'),
    has_det: triState.optional(),
    is_shared: triState.optional(),
    is_signed: triState.optional(),
    ...fileHashFields,
    upload_set_id: clearable(identifier)
      .optional()
      .meta({ ...ext, description: 'an upload set that expects the file' }),
    message: clearable(memoMessage).optional().meta({
      description: 'required when is_shared is True; stored as a memo',
    }),
  });
export type UploadFields = z.output<ReturnType<typeof uploadFields>>;

/** Fields of an edit besides its file. */
export const filedataFields = z.object({
  ...fileHashFields,
  original_name: cameraFields.original_name,
});
export type FiledataFields = z.output<typeof filedataFields>;
