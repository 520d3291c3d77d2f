import { z } from 'zod';
import { ServiceError, invalidField, missingField } from '../../../base/errors/catalogue.js';
import { columnName, propertiesOf } from '../../../database/columns.js';
import { id } from '../../../http/record-fields.js';
import {
  asJson,
  expecting,
  flag,
  idList,
  identifier,
  integer,
  parseFolderTarget,
  validate,
} from '../../../http/request-fields.js';
import { customKey, customValue, memoMessage } from '../../annotations/schemas.js';
import { imageRecord } from '../schemas.js';
import type { Patch } from './batch.sql.js';
import { patchOf, shareLimit, shareLimitText, updateFields } from './image-updates.js';
import { assignable } from './update.sql.js';

/** Ten years. */
const maxShift = 3653 * 24 * 3600;
const maxKeys = 50;

const words = expecting(
  `a JSON object of at most ${maxKeys} keys of 1 to 255 characters, with texts of up to 10,000, or null to remove it`,
);
const customs = z.preprocess(
  (raw) => asJson(raw),
  z
    .record(z.string(), customValue.nullable(), words)
    .refine((object) => Object.keys(object).length <= maxKeys, words)
    .refine((object) => Object.keys(object).every((key) => customKey.safeParse(key).success), words)
    .meta({ type: 'object', additionalProperties: { type: ['string', 'null'] } }),
);

/** What a batch does to an image. */
const changeFields = updateFields.extend({
  shift_taken_at: integer(-maxShift, maxShift)
    .optional()
    .meta({ description: 'seconds to add to taken_at, where there is one' }),
  message: memoMessage.optional().meta({ description: 'a memo for each image' }),
  is_client: flag.default(false).meta({ description: 'of the memo' }),
  customs: customs.optional().meta({
    description: "a JSON object: a key's value is set, or added; null removes it",
  }),
  purge: flag
    .default(false)
    .meta({ description: 'True: delete for good what is in the trash; with nothing else' }),
  taken_at: z.unknown().optional().meta({ description: 'not beside shift_taken_at' }),
});
type ChangeFields = z.output<typeof changeFields>;

const ownChange = changeFields.extend({ image_id: identifier });

const listOfChanges = {
  error: `a JSON array of 1 to ${shareLimitText} objects, each with an image_id and fields of its own`,
};
const changeList = z.preprocess(
  (raw) => asJson(raw),
  z
    .array(z.record(z.string(), z.unknown(), listOfChanges), listOfChanges)
    .min(1, listOfChanges)
    .max(shareLimit, listOfChanges),
);

export const batchFields = changeFields.extend({
  image_ids: idList
    .optional()
    .meta({ description: `1 to ${shareLimitText} ids, all changed alike` }),
  changes: changeList.optional().meta({
    description: `in place of image_ids: a JSON array of up to ${shareLimitText} objects {image_id, …}, each with the fields that change`,
  }),
  with_records: flag.default(false).meta({ description: 'True: the records, in the order asked' }),
});
type BatchFields = z.output<typeof batchFields>;

export const batchResult = z
  .object({
    count: z.int(),
    changed: z.array(id),
    unchanged: z.array(id),
    images: z.array(imageRecord).optional(),
  })
  .meta({ id: 'BatchResult' });

/** A change as it was understood. */
export interface Change extends Patch {
  readonly message: { readonly message: string; readonly isClient: boolean } | undefined;
  readonly customs: readonly (readonly [key: string, value: string | null])[];
  readonly purge: boolean;
}

/** Which images are changed, and how. */
export interface Batch {
  /** In the order asked, each once. */
  readonly ids: readonly string[];
  /** Of each image: its place in `changes`, or the code of what is wrong with its own. */
  readonly places: readonly (number | string)[];
  readonly changes: readonly Change[];
  /** Whether all are changed alike, so that what is wrong with the change is wrong with the request. */
  readonly isShared: boolean;
}

/** @throws ServiceError `missing_field`, `invalid_field`. */
export function batchOf(fields: BatchFields): Batch {
  const { image_ids: ids, changes } = fields;
  if ((ids === undefined) === (changes === undefined)) {
    throw invalidField('image_ids', 'given, or else changes, and not both');
  }
  if (fields.purge && fields.with_records) throw invalidField('with_records', 'False with purge');
  if (changes) {
    const both = Object.keys(changeFields.shape).find(
      (name) => name in fields && ![false, undefined].includes(fields[name as 'purge']),
    );
    if (both !== undefined) throw invalidField(both, 'in changes, not beside it');
    return ownChanges(changes, fields.with_records);
  }
  if (!ids || ids.length === 0) throw missingField('image_ids');
  if (ids.length > shareLimit) throw invalidField('image_ids', `a list of 1 to ${shareLimit} ids`);
  const unique = [...new Set(ids)];
  return { ids: unique, places: unique.map(() => 0), changes: [changeOf(fields)], isShared: true };
}

function ownChanges(raw: readonly Record<string, unknown>[], withRecords: boolean): Batch {
  const ids = raw.map(({ image_id: one }) => {
    if (typeof one !== 'string') throw invalidField('changes', 'objects with an image_id each');
    return one.trim().toLowerCase();
  });
  if (new Set(ids).size < ids.length) throw invalidField('changes', 'about each image once');
  const changes: Change[] = [];
  const places = raw.map((own): number | string => {
    try {
      const change = changeOf(validate(ownChange, own));
      if (change.purge && withRecords) return 'invalid_field';
      return changes.push(change) - 1;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  });
  return { ids, places, changes, isShared: false };
}

/** @throws ServiceError `missing_field`, `invalid_field`. */
function changeOf(fields: ChangeFields): Change {
  const { shift_taken_at: shift, message, is_client: isClient, purge } = fields;
  if (shift !== undefined && fields.taken_at !== undefined) {
    throw invalidField('shift_taken_at', 'absent where taken_at is given');
  }
  const { trashed, ...patch } = patchOf(fields);
  const values = { ...patch, folderId: parseFolderTarget(fields.folder_id) };
  const given = Object.fromEntries(
    propertiesOf(assignable).flatMap((property) => {
      const value: unknown = values[property];
      return value === undefined ? [] : [[columnName(assignable, property), value]];
    }),
  );
  const change = {
    given,
    trashed,
    shift: shift === 0 ? undefined : shift,
    message: message === undefined ? undefined : { message, isClient },
    customs: Object.entries(fields.customs ?? {}),
    purge,
  };
  if (purge && hasMore(change)) throw invalidField('purge', 'without other fields');
  return change;
}

const hasMore = ({ given, trashed, shift, message, customs: set }: Change): boolean =>
  Object.keys(given).length > 0 ||
  set.length > 0 ||
  [trashed, shift, message].some((value) => value !== undefined);
