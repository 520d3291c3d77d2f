import { namesOf } from '../../../database/columns.js';
import { addressColumns, cameraColumns } from '../entity.js';
import { bytewise, type Frame, type RecordForm } from '../record.js';
import type { ImageFieldName } from '../record-fields.js';
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
] as const satisfies readonly ImageFieldName[];

export const tableColumns = ['file', ...columns];

/** With a byte order mark: without it, spreadsheets assume the machine's legacy encoding. */
export const csvHead = (names: readonly string[]): string => `\uFEFF${names.join(',')}\r\n`;

/** Records as cells of a line. */
export const asCells = (names: readonly ImageFieldName[]): RecordForm => ({
  fields: names.map((name, i) => ({ prefix: i === 0 ? '' : ',', name })),
  value: cell,
  quote: '"',
  part: (json) => json.replaceAll('"', '""'),
});

/** The frame of images.csv. @param fileOf name of an image in the archive. */
export const tableOf = (
  fileOf: (imageId: string) => string,
  shown: readonly ImageFieldName[] = columns,
): Frame => ({
  begin: bytewise(csvHead(['file', ...shown])),
  before: ({ id }) => `${cell(bytewise(JSON.stringify(fileOf(id))))},`,
  after: () => '\r\n',
  end: () => '',
  form: asCells(shown),
});

/** A line of such a table, of a record that is an object. @param file name of the image. */
export const csvLine = (file: string, record: ImageRecord): string =>
  `${[file, ...columns.map((column) => record[column])].map((value) => cell(JSON.stringify(value))).join(',')}\r\n`;

/** @param json null, a number, a boolean, a text, or a list. */
function cell(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('[')) return quoted(json);
  if (!json.startsWith('"')) return json;
  return text(json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1));
}

/**
 * RFC 4180. Values that a spreadsheet would interpret as a formula are marked as text, as OWASP
 * recommends.
 */
const text = (value: string): string => quoted(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

const quoted = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
