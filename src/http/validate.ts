import type { z } from 'zod';
import { invalidField, missingField } from '../base/errors/catalogue.js';

/** Request fields before validation: text from forms and queries, values from JSON. */
export type RawFields = Record<string, unknown>;

/**
 * Validates fields and drops unknown ones.
 * @throws ServiceError `missing_field` or `invalid_field`, naming the first field at fault.
 */
export function validate<S extends z.ZodObject>(schema: S, raw: RawFields): z.output<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? 'body');
  if (raw[field] === undefined) throw missingField(field);
  throw invalidField(field, issue?.message ?? 'valid');
}

/** An empty string in a query means that the parameter was omitted. */
export const withoutEmpty = (query: RawFields): RawFields =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
