import type { SearchType } from './search.js';

const memos = (pattern: string): string =>
  `SELECT m.image_id FROM memos m WHERE m.user_id = $1 AND m.search LIKE ${pattern}`;

const customs = (pattern: string): string =>
  `SELECT c.image_id FROM customs c WHERE c.user_id = $1 AND c.search LIKE ${pattern}`;

const folders = (pattern: string): string =>
  `SELECT f.id FROM folders f WHERE f.user_id = $1 AND f.search LIKE ${pattern}`;

// A union of what each index finds; OR over joins would read every image.
const everything = (pattern: string, others: string): string =>
  `SELECT i.id FROM images i
   WHERE ${others} AND (i.address_search LIKE ${pattern} OR i.filename LIKE ${pattern})
   UNION ${memos(pattern)}
   UNION ${customs(pattern)}
   UNION SELECT i.id FROM images i WHERE ${others} AND i.folder_id IN (${folders(pattern)})`;

const conditions: Record<SearchType, (pattern: string, others: string) => string> = {
  // One index serves both: the building is among the address fields.
  address: (pattern) => `i.address_search LIKE ${pattern}`,
  building_name: (pattern) =>
    `i.address_search LIKE ${pattern} AND searchable(i.building_name) LIKE ${pattern}`,
  // Filenames are made by the server, in lower case.
  filename: (pattern) => `i.filename LIKE ${pattern}`,
  memo: (pattern) => `i.id IN (${memos(pattern)})`,
  custom: (pattern) => `i.id IN (${customs(pattern)})`,
  folder: (pattern) => `i.folder_id IN (${folders(pattern)})`,
  all: (pattern, others) => `i.id IN (${everything(pattern, others)})`,
};

/**
 * The condition on images `i` of user `$1` that a search means.
 * @param words placeholder of the words.
 * @param others the other conditions on `i`, which narrow a search in everything early.
 */
export const searchCondition = (type: SearchType, words: string, others: string): string =>
  conditions[type](`search_pattern(${words})`, others);
