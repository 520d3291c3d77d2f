import { concatenation, megabytesPiece, sqlPiece } from '../../database/json-text.js';
import type { JsonPiece } from '../../database/json-text.js';
import { toMegabytes } from '../../base/units.js';
import type { Metrics } from './metrics.js';
import type { Statistics } from './schemas.js';

type Metric = keyof Metrics;

// The fields of the API, and the metrics that each of them sums.
const sums: Readonly<Record<keyof Statistics, readonly Metric[]>> = {
  upload_camera: ['upload_camera'],
  upload_gallery: ['upload_gallery'],
  upload_request: ['upload_request'],
  total_upload: ['upload_camera', 'upload_gallery', 'upload_request'],
  edit_count: ['edits'],
  delete_count: ['deletions'],
  total_images: ['active_images'],
  org_filesize_mb: ['original_bytes'],
  org_latest_filesize_mb: ['latest_bytes'],
  total_filesize_mb: ['stored_bytes'],
};
const fields = Object.entries(sums) as [keyof Statistics, readonly Metric[]][];
const isSize = (field: keyof Statistics): boolean => field.endsWith('_mb');

/** Metrics as the API's record. */
export function toRecord(metrics: Metrics): Statistics {
  const values = fields.map(([field, parts]) => {
    const sum = parts.reduce((total, part) => total + metrics[part], 0);
    return [field, isSize(field) ? toMegabytes(sum) : sum];
  });
  return Object.fromEntries(values) as Statistics;
}

/** The same record as JSON text: an SQL expression over columns named like the metrics. */
export const recordJson = concatenation([
  ...fields.flatMap(([field, parts], n): JsonPiece[] => {
    const sum = parts.join(' + ');
    const value = isSize(field) ? megabytesPiece(sum) : sqlPiece(sum);
    return [`${n === 0 ? '{' : ','}"${field}":`, value];
  }),
  '}',
]);
