import { byteOrderMark, cell } from '../archive/csv.js';
import type { Cell } from '../archive/csv.js';
import type { BatchedImageRecord } from '../record.js';
import { imageFieldNames } from '../record.js';

/** The head, records, and tail of a file of records. */
export interface Format {
  readonly type: string;
  readonly head: string;
  readonly record: (record: BatchedImageRecord, isFirst: boolean) => string;
  readonly tail: string;
}

/** Records without includes are entirely in memory. */
const cells = (record: BatchedImageRecord): string =>
  imageFieldNames.map((name) => cell(record[name] as Cell | undefined)).join(',');

const feature = (record: BatchedImageRecord): string => {
  const { lat, lng } = record;
  const geometry = lat === null || lng === null ? null : { type: 'Point', coordinates: [lng, lat] };
  return JSON.stringify({ type: 'Feature', id: record.id, geometry, properties: record });
};

export const formats = {
  geojson: {
    type: 'application/geo+json',
    head: '{"type":"FeatureCollection","features":[\n',
    record: (record, isFirst) => `${isFirst ? '' : ',\n'}${feature(record)}`,
    tail: '\n]}\n',
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${byteOrderMark}${imageFieldNames.join(',')}\r\n`,
    record: (record) => `${cells(record)}\r\n`,
    tail: '',
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    record: (record) => `${JSON.stringify(record)}\n`,
    tail: '',
  },
} as const satisfies Record<string, Format>;
