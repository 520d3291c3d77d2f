import type { ImageRecord } from './schemas.js';

/** Columns of images.csv; addresses that expire are left out. */
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
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
  'has_det',
  'is_shared',
  'is_signed',
  'image_resource_type',
  'resolution',
  'filesize_mb',
  'hashdata',
  'is_incomplete',
  'filedata_total',
  'memos',
  'customs',
  'filedatas',
] as const satisfies readonly (keyof ImageRecord)[];

/** Spreadsheets read a file without it in the machine's own encoding. */
const byteOrderMark = '\uFEFF';

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

export const csvHead = byteOrderMark + line(['file', ...columns]);

/** @param file name of the picture in the archive. */
export const csvLine = (file: string, record: ImageRecord): string =>
  line([text(file), ...columns.map((column) => cell(record[column]))]);

function cell(value: ImageRecord[(typeof columns)[number]]): string {
  if (value === null) return '';
  if (typeof value === 'string') return text(value);
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
}

/** RFC 4180. What a spreadsheet would take for a formula is marked as text, as OWASP advises. */
const text = (value: string): string => quoted(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

const quoted = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
