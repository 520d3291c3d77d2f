import { indexedResult } from '../../http/paging/pages.js';
import { z } from 'zod';
import { hashList, clearable, identifier, text } from '../../http/request-fields.js';
import { fileHash, id, timestamp } from '../../http/record-fields.js';

/** Maximum number of files in a set. */
const filesPerSet = 10_000;

const distinct = (hashes: readonly string[]): number => new Set(hashes).size;

export const newUploadSet = z.object({
  hashes: hashList(filesPerSet, distinct),
  title: clearable(text(1, 255)).optional(),
  folder_id: clearable(identifier).optional().meta({
    description: 'folder of uploads to the set that name none; by default, the top level',
  }),
});
export type NewUploadSet = z.output<typeof newUploadSet>;

const fields = {
  id,
  title: z.string().nullable(),
  folder_id: id.nullable(),
  state: z.enum(['open', 'complete']),
  expected: z.int().meta({ description: 'number of different files' }),
  arrived: z.int().meta({ description: 'how many of them are stored durably' }),
};
const times = { created_at: timestamp, completed_at: timestamp.nullable() };

export const uploadSetRecord = z.object({ ...fields, ...times }).meta({ id: 'UploadSet' });
export type UploadSetRecord = z.output<typeof uploadSetRecord>;

export const uploadSetDetails = z
  .object({
    ...fields,
    missing: z
      .array(fileHash)
      .meta({ description: 'in the order of the request that created the set' }),
    ...times,
  })
  .meta({ id: 'UploadSetDetails' });
export type UploadSetDetails = z.output<typeof uploadSetDetails>;

export const uploadSetList = z
  .object({
    ...indexedResult,
    items: z.array(uploadSetRecord),
  })
  .meta({ id: 'UploadSetList' });
export type UploadSetList = z.output<typeof uploadSetList>;
