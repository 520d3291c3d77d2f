import { write } from './form.js';

/** A proxy may refuse longer headers; only a long `message` makes one. */
const maxCharacters = 6_000;

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Upload-Metadata: each value in base64; undefined ones are left out. */
export const metadataOf = (values: Values): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${base64(write(value))}`]))
    .join(',');

/** Whether the values fit into a header. */
export const fitsMetadata = (values: Values): boolean => metadataOf(values).length <= maxCharacters;

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
