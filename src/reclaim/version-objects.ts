import { objectKey } from '../store/layout.js';
import type { VersionRow } from './version-queries.js';

/** Comes before every id. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** The objects of a version; the sizes of renditions are not known to the rows. */
export function objectsOf(v: VersionRow): { key: string; bytes: number | null }[] {
  return [
    { key: objectKey(v, 'original', v.extension), bytes: v.bytes },
    ...(v.displayExtension === null
      ? []
      : [{ key: objectKey(v, 'display', v.displayExtension), bytes: null }]),
    { key: objectKey(v, 'thumb', v.thumbExtension), bytes: null },
  ];
}
