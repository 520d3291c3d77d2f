/** A file, or a value for a form field. */
type Field = Blob | string | number | boolean | null | readonly (string | number)[];

/** Formats a value for a field, such as `False` or `12.5`. */
export function write(value: Exclude<Field, Blob | readonly (string | number)[]>): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : String(value);
}

/**
 * Converts a body to a multipart form. Lists become repeated fields; undefined fields are left out.
 */
export function toForm(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body) as [string, Field | undefined][]) {
    if (value === undefined) continue;
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (Array.isArray(value)) for (const item of value) form.append(name, String(item));
    else form.append(name, write(value as Exclude<Field, Blob | readonly (string | number)[]>));
  }
  return form;
}
