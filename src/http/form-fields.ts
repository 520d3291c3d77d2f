import { ServiceError } from '../errors/catalogue.js';
import type { RawFields } from './input.js';
import { bytesPerMegabyte } from '../units.js';

/** Bytes that the fields of one request may take together; also what a form may spend beside its file. */
export const fieldBytesLimit = bytesPerMegabyte;

/** Fields that one form may have. */
export const fieldsLimit = 2_000;

export const fieldsTooLarge = (): ServiceError =>
  new ServiceError('upload_too_large', {
    message: 'The form has too many fields, or they are too large.',
  });

/** The fields of a form; those that come more than once become lists. */
export class FormFields {
  readonly #values = new Map<string, string[]>();
  #count = 0;
  #size = 0;

  /** @throws ServiceError `upload_too_large`. */
  add(name: string, value: string): void {
    this.#count += 1;
    this.#size += name.length + value.length;
    if (this.#count > fieldsLimit || this.#size > fieldBytesLimit) throw fieldsTooLarge();
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** Without a prototype: a field may have any name. */
  toRaw(): RawFields {
    const raw = Object.create(null) as RawFields;
    for (const [name, values] of this.#values) raw[name] = values.length > 1 ? values : values[0];
    return raw;
  }
}

/** The fields of an urlencoded form. @throws ServiceError `upload_too_large`. */
export function urlencodedFields(text: string): RawFields {
  const fields = new FormFields();
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
  return fields.toRaw();
}
