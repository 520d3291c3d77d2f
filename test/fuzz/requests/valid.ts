import { createHash } from 'node:crypto';
import type { Random } from '../../../testkit/random.js';
import type { Field } from '../harness/document.js';

/** Valid values by field name, where the schema does not define them. */
const known: Readonly<Record<string, readonly string[]>> = {
  days_or_date_range: ['days_range', 'date_range'],
  parent_id: [' ', '', 'UNSET'],
  start_date: ['20250101', '20250301'],
  end_date: ['20250301', '20250401'],
  wait: ['0', '1'],
  bbox: ['126,37,128,38', '170,-90,-170,90'],
  types: ['folder.restored'],
  kind: ['view'],
  allow: ['read', 'upload,links'],
  url: ['https://example.com/hook'],
};

/** A value that the document allows. @param ids values for placeholders and references. */
export function validValue(
  { name, schema }: Field,
  ids: Readonly<Record<string, string>>,
  random: Random,
): string {
  const id = ids[name] ?? (name.startsWith('image_ids') ? ids.image_id : undefined);
  if (id !== undefined) return id;
  if (name === 'hashes') return hexadecimal(random);
  const choices = known[name] ?? schema.enum;
  if (choices && choices.length > 0) return random.of(choices) ?? '';
  if (schema.pattern) return dateLike(schema.pattern, random);
  if (schema.type === 'number' || schema.type === 'integer') return numberIn(schema, random);
  return random.of(['name', '사진 2', 'a b', 'Straße', '10']) + String(random.below(1_000_000));
}

const hexadecimal = (random: Random): string =>
  createHash('sha256')
    .update(String(random.below(1_000_000)))
    .digest('hex');

function dateLike(pattern: string, random: Random): string {
  const day = `202${random.below(7)}0${1 + random.below(9)}${10 + random.below(18)}`;
  return pattern.includes('_') && !pattern.includes('?')
    ? `${day}_12${10 + random.below(49)}00`
    : day;
}

function numberIn({ type, minimum = 0, maximum = 100 }: Field['schema'], random: Random): string {
  const share = random.below(1_000_001) / 1_000_000;
  const value = minimum + share * (Math.min(maximum, 20_000) - minimum);
  return String(type === 'integer' ? Math.floor(value) : value);
}
