import { z } from 'zod';
import { clearable, idList, identifier, triState } from '../../../http/request-fields.js';
import { ext } from '../../../http/record-fields.js';
import { addressFields, coordinateFields, withFields } from '../schemas.js';

/** Fields of an image update: absent fields stay unchanged, empty ones are cleared. */
export const updateFields = z.object({
  delete: triState.optional().meta({
    description: 'True: move to the trash; False: restore; None: no change',
  }),
  folder_id: identifier.nullable().optional().meta({
    description: 'a folder, or one blank for the top level (null in JSON); empty or UNSET: no move',
  }),
  has_det: clearable(triState).optional(),
  ...coordinateFields,
  ...addressFields,
  is_shared: triState.optional().meta({ description: 'None: no change' }),
  is_signed: triState.optional().meta({ description: 'None: no change' }),
});
export type UpdateFields = z.output<typeof updateFields>;

/** Maximum number of images per request to share. */
export const shareLimit = 1000;

/** The same number as written in documentation. */
export const shareLimitText = shareLimit.toLocaleString('en');

export const shareFields = z.object({
  image_ids: idList.meta({ description: `1 to ${shareLimitText} ids` }),
});

/** The includes that a change may request for the returned record. */
export const changedImageQuery = z.object({
  with_memo: withFields.with_memo.meta(ext),
  with_custom: withFields.with_custom.meta(ext),
  with_history: withFields.with_history.meta(ext),
});
