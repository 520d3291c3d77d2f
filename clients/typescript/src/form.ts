/** A file, or anything that a form field can be written from. */
type Field = Blob | string | number | boolean | null | readonly (string | number)[];

/** `False`, `12.5`: how values are written into forms. */
function write(value: Exclude<Field, Blob | readonly (string | number)[]>): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : String(value);
}

/**
 * Makes a multipart form of a body. Lists become repeated fields; fields that are undefined are
 * left out.
 */
export function toForm(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body) as [string, Field | undefined][]) {
    if (value === undefined) continue;
    if (value instanceof Blob) form.append(name, value, name);
    else if (Array.isArray(value)) for (const item of value) form.append(name, String(item));
    else form.append(name, write(value as Exclude<Field, Blob | readonly (string | number)[]>));
  }
  return form;
}
