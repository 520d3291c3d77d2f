import { z } from 'zod';
import { clearable, idList, identifier, triState } from '../../http/fields.js';
import { ext } from '../../http/records.js';
import { addressFields, placeFields, withFields } from '../schemas.js';

/** Fields of an image update: what is absent stays, what is empty is cleared. */
export const updateFields = z.object({
  delete: triState.optional().meta({
    description: 'True: into the trash; False: out of it; None: as it is',
  }),
  folder_id: clearable(identifier).optional().meta({
    description: 'a folder, or one blank for the top level; empty or UNSET: no move',
  }),
  has_det: clearable(triState).optional(),
  ...placeFields,
  ...addressFields,
  is_shared: triState.optional().meta({ description: 'None: as it is' }),
  is_signed: triState.optional().meta({ description: 'None: as it is' }),
});
export type UpdateFields = z.output<typeof updateFields>;

/** How many images may be shared at once. */
export const shareLimit = 1000;

/** The same as documentation writes it. */
export const shareLimitText = shareLimit.toLocaleString('en');

/** The images to share, under either name. */
export const shareFields = z.object({
  image_ids: idList.optional().meta({ description: `1 to ${shareLimitText} ids` }),
  'image_ids[]': idList.optional(),
});

/** What a change may ask of the record that it answers. */
export const changedImageQuery = z.object({
  with_memo: withFields.with_memo.meta(ext),
  with_custom: withFields.with_custom.meta(ext),
  with_history: withFields.with_history.meta(ext),
});
