import { ServiceError } from '../errors/catalogue.js';
import type { RawFields } from './validate.js';
import { bytesPerMegabyte } from '../units.js';

/** Limits on the fields of one request. */
export interface FieldLimits {
  /** Total size of names and values. */
  readonly bytes: number;
  readonly fields: number;
}

/** For requests without a file; a list of 10,000 hashes fits. */
export const fieldLimits: FieldLimits = { bytes: 2 * bytesPerMegabyte, fields: 10_100 };

/** For uploads; also the allowance for a form's parts besides its file. */
export const uploadFieldLimits: FieldLimits = { bytes: bytesPerMegabyte, fields: 2_000 };

export const fieldsTooLarge = (): ServiceError =>
  new ServiceError('upload_too_large', {
    message: 'The form has too many fields, or they are too large.',
  });

/** The fields of a form; repeated ones become arrays. */
export class FormFields {
  readonly #values = new Map<string, string[]>();
  #count = 0;
  #size = 0;

  constructor(private readonly limits: FieldLimits) {}

  /** @throws ServiceError `upload_too_large`. */
  add(name: string, value: string): void {
    this.#count += 1;
    this.#size += name.length + value.length;
    if (this.#count > this.limits.fields || this.#size > this.limits.bytes) throw fieldsTooLarge();
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** Without a prototype, since a field may have any name. */
  toRaw(): RawFields {
    const raw = Object.create(null) as RawFields;
    for (const [name, values] of this.#values) raw[name] = values.length > 1 ? values : values[0];
    return raw;
  }
}

/** The fields of a URL-encoded form. @throws ServiceError `upload_too_large`. */
export function urlencodedFields(text: string): RawFields {
  const fields = new FormFields(fieldLimits);
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
  return fields.toRaw();
}
