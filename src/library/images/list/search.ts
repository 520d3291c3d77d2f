/** The fields that a search covers. */
export const searchTypes = [
  'address',
  'building_name',
  'filename',
  'memo',
  'custom',
  'folder',
  'all',
] as const;
export type SearchType = (typeof searchTypes)[number];

export interface Search {
  readonly type: SearchType;
  readonly words: string;
}
