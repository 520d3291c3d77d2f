import { size, wholeNumber } from '../../core/amounts';
import type { components } from '../../core/api';

export type Statistics = components['schemas']['Statistics'];
export type DayStatistics = components['schemas']['DayStatistics'];
export type Figure = keyof Statistics;

/** What was counted on a day, or since the beginning. */
export const counted = [
  'total_upload',
  'upload_camera',
  'upload_gallery',
  'upload_request',
  'edit_count',
  'delete_count',
] as const satisfies readonly Figure[];

/** What was there at the end of a day, or is there now. */
export const states = [
  'total_images',
  'total_filesize_mb',
  'org_filesize_mb',
  'org_latest_filesize_mb',
] as const satisfies readonly Figure[];

export const figures = [...counted, ...states];

export const isCounted = (figure: Figure): boolean => counted.some((each) => each === figure);

/** In megabytes. */
export const isSize = (figure: Figure): boolean => figure.endsWith('_mb');

/** A value in the format of the reader's language. */
export const formatOf = (figure: Figure): ((value: number) => string) =>
  isSize(figure) ? size : wholeNumber;
