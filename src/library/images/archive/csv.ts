import { namesOf } from '../../../database/columns.js';
import { Batches } from '../../../http/paging/batches.js';
import { addressColumns, cameraColumns } from '../entity.js';
import type { BatchedImageRecord } from '../record.js';
import type { ImageRecord } from '../schemas.js';

/** Columns of images.csv, without URLs, which would expire. */
const columns = [
  'id',
  'filename',
  'folder_id',
  'created_at',
  'updated_at',
  'delete_at',
  'taken_at',
  'lat',
  'lng',
  ...namesOf(addressColumns),
  'has_det',
  'is_shared',
  'is_signed',
  'image_resource_type',
  'resolution',
  'filesize_mb',
  'hashdata',
  'is_incomplete',
  'filedata_total',
  ...namesOf(cameraColumns),
  'memos',
  'customs',
  'filedatas',
] as const satisfies readonly (keyof ImageRecord)[];

/** Without it, spreadsheets assume the machine's legacy encoding. */
export const byteOrderMark = '\uFEFF';

export const csvHead = `${byteOrderMark}${['file', ...columns].join(',')}\r\n`;

/** @param file name of the image in the archive. */
export async function* csvLine(file: string, record: BatchedImageRecord): AsyncGenerator<string> {
  let line = text(file);
  for (const column of columns) {
    line += ',';
    const value = record[column];
    if (value instanceof Batches) {
      yield line;
      yield* streamed(value);
      line = '';
    } else line += cell(value);
  }
  yield `${line}\r\n`;
}

/** A value of a record that is entirely in memory. */
type Cell = Exclude<BatchedImageRecord[keyof ImageRecord], Batches<unknown>>;

export function cell(value: Cell | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return text(value);
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
}

/** A JSON array too long to hold in memory. It contains quotes, so the field is quoted. */
async function* streamed({ batches }: Batches<unknown>): AsyncGenerator<string> {
  let before = '"[';
  for await (const batch of batches) {
    for (const item of batch) {
      yield before + JSON.stringify(item).replaceAll('"', '""');
      before = ',';
    }
  }
  yield before === ',' ? ']"' : '[]';
}

/**
 * RFC 4180. Values that a spreadsheet would interpret as a formula are marked as text, as OWASP
 * recommends.
 */
const text = (value: string): string => quoted(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

const quoted = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
