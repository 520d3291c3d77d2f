import type { HostileValue } from './hostile.js';

/** Fields in the order in which they are sent; names may repeat. */
export type Pair = readonly [name: string, value: HostileValue];

export interface Encoded {
  readonly type: string | undefined;
  readonly body: Buffer;
}

export const boundary = 'fuzz-boundary';

const bytesOfValue = (value: HostileValue): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : value.json);

/** Percent-encodes every byte except letters and digits, so that hostile values arrive unchanged. */
export const escaped = (value: HostileValue): string =>
  bytesOfValue(value)
    .toString('latin1')
    .replaceAll(
      /[^A-Za-z0-9]/g,
      (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    );

export const urlencoded = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');

const formEncoded = (pairs: readonly Pair[]): Encoded => ({
  type: 'application/x-www-form-urlencoded',
  body: Buffer.from(urlencoded(pairs)),
});

/** JSON in the given order, including duplicate names. */
const jsonEncoded = (pairs: readonly Pair[]): Encoded => {
  const written = pairs.map(([name, value]) => {
    const json =
      typeof value === 'object' && 'json' in value
        ? Buffer.from(value.json)
        : Buffer.isBuffer(value)
          ? Buffer.concat([Buffer.from('"'), value, Buffer.from('"')])
          : Buffer.from(JSON.stringify(value));
    return Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), json]);
  });
  const commas = written.flatMap((member, i) => (i > 0 ? [Buffer.from(','), member] : [member]));
  return {
    type: 'application/json',
    body: Buffer.concat([Buffer.from('{'), ...commas, Buffer.from('}')]),
  };
};

export interface FilePart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const quoted = (name: string): string => name.replaceAll(/["\r\n]/g, escaped);

export function multipartEncoded(pairs: readonly Pair[], file?: FilePart): Encoded {
  const part = (disposition: string, content: Uint8Array): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]);
  const parts = pairs.map(([name, value]) => part(`name="${quoted(name)}"`, bytesOfValue(value)));
  const disposition = file && `name="${file.name}"; filename="a.jpg"`;
  if (file && disposition) parts.push(part(disposition, file.bytes));
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

export const encodings = {
  multipart: multipartEncoded,
  form: formEncoded,
  json: jsonEncoded,
} as const;
