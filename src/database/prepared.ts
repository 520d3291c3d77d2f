import { createHash } from 'node:crypto';

/** Each text costs memory on every connection that uses it. */
const maxPrepared = 32;

const names = new Map<string, string>();

/**
 * Marks a frequently run statement: connections plan it once and keep it by name (see
 * preparing-client.ts). The name depends only on the text, so that a connection that a pooler
 * passes to another process never has a different text under it.
 * @returns the same text.
 */
export function prepared(sql: string): string {
  if (names.has(sql)) return sql;
  if (names.size >= maxPrepared) throw new RangeError('too many texts are marked as prepared');
  const digest = createHash('sha256').update(sql).digest('hex');
  names.set(sql, `imgstore_${digest.slice(0, 32)}`);
  return sql;
}

/** The name of a marked statement. */
export const preparedName = (sql: string): string | undefined => names.get(sql);
