import { entityOf, searchText, timestamps, type RowOf } from '../../database/columns.js';

const keyColumns = {
  id: { type: 'uuid', primary: true },
  imageId: { name: 'image_id', type: 'uuid' },
} as const;

/** Columns that no response includes. */
const hidden = { userId: { name: 'user_id', type: 'uuid' }, search: searchText } as const;

/** The columns of a memo in responses. */
export const memoColumns = {
  ...keyColumns,
  message: { type: 'text' },
  isClient: { name: 'is_client', type: 'boolean' },
  ...timestamps,
} as const;

/** The columns of a custom in responses. */
export const customColumns = {
  ...keyColumns,
  key: { type: 'text' },
  value: { type: 'text' },
  ...timestamps,
} as const;

export type Memo = RowOf<typeof memoColumns>;
export type Custom = RowOf<typeof customColumns>;

export const memoTable = { ...memoColumns, ...hidden } as const;
export const customTable = { ...customColumns, ...hidden } as const;

export const MemoEntity = entityOf('memos', memoTable);

export const CustomEntity = entityOf('customs', customTable);

/** Maintained by triggers on memos and customs (docs/adr/0010). */
export const annotationTotalColumns = {
  imageId: { name: 'image_id', type: 'uuid', primary: true },
  memos: { type: 'integer', default: 0 },
  customs: { type: 'integer', default: 0 },
  /** Of messages, keys, and values, in UTF-8. */
  textBytes: { name: 'text_bytes', type: 'bigint', default: 0 },
} as const;

export const AnnotationTotalEntity = entityOf('annotation_totals', annotationTotalColumns);
