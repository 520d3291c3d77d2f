import type { ImageRecord } from '../schemas.js';
import { type CaptionField, type LedgerForm, wordsIn } from './form.js';

/** `20240105_140322` as `2024-01-05 14:03:22`. */
const timeText = (time: string): string =>
  time.replace(/^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d).*/, '$1-$2-$3 $4:$5:$6');

/** The same without the time of day. */
export const dayText = (time: string): string => timeText(time).slice(0, 'YYYY-MM-DD'.length);

function addressText(record: ImageRecord): string {
  const { address_road: road, address_land: land, address_land_number: number } = record;
  const { address_det: detail, building_name: building } = record;
  const street = road ?? [land, number].filter(Boolean).join(' ');
  return [street, detail, building && `(${building})`].filter(Boolean).join(' ');
}

const memoText = ({ memos }: ImageRecord, ofClient: boolean): string =>
  (memos ?? [])
    .filter((memo) => memo.is_client === ofClient)
    .map(({ message }) => message)
    .join('\n');

/** Decimals of coordinates: a tenth of a meter. */
const decimals = 6;

const texts: Readonly<Record<CaptionField, (record: ImageRecord, number: number) => string>> = {
  number: (_record, number) => String(number),
  original_name: ({ original_name: name }) => name ?? '',
  taken_at: ({ taken_at: time }) => (time === null ? '' : timeText(time)),
  address: addressText,
  place: ({ lat, lng }) =>
    lat === null || lng === null ? '' : `${lat.toFixed(decimals)}, ${lng.toFixed(decimals)}`,
  direction: ({ direction }) => (direction === null ? '' : `${direction}°`),
  memos: (record) => memoText(record, false),
  client_memos: (record) => memoText(record, true),
  customs: ({ customs }) => (customs ?? []).map(({ key, value }) => `${key}: ${value}`).join('\n'),
};

const prefix = 'custom:';

/** The key of a field `custom:KEY`; undefined if it is another field. */
export const customKeyOf = (field: string): string | undefined =>
  field.startsWith(prefix) ? field.slice(prefix.length) : undefined;

/** What a field is called. */
export const labelOf = (field: string, { language }: Pick<LedgerForm, 'language'>): string =>
  customKeyOf(field) ?? wordsIn[language][field as CaptionField];

/** What a field says of an image; only its number if that has been deleted. */
export function textOf(field: string, number: number, record?: ImageRecord): string {
  if (!record) return field === 'number' ? String(number) : '';
  const key = customKeyOf(field);
  if (key === undefined) return texts[field as CaptionField](record, number);
  const found = (record.customs ?? []).filter((custom) => custom.key === key);
  return found.map(({ value }) => value).join('\n');
}
