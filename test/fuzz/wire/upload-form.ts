/** A structural part of a multipart form. */
export interface Token {
  readonly name: string;
  readonly text: string;
}

export const boundary = 'wire-boundary';

const token = (name: string, text: string): Token => ({ name, text });

/** A form with two fields and a file, as structural parts; `fileText` in latin1. */
export const formTokens = (field: string, value: string, fileText: string): Token[] => [
  token('preamble', ''),
  token('first dashes', '--'),
  token('first boundary', boundary),
  token('line end', '\r\n'),
  token('header name', 'Content-Disposition'),
  token('header colon', ':'),
  token('header blank', ' '),
  token('disposition', 'form-data'),
  token('semicolon', ';'),
  token('parameter name', ' name'),
  token('equals', '='),
  token('opening quote', '"'),
  token('field name', field),
  token('closing quote', '"'),
  token('end of header', '\r\n'),
  token('end of headers', '\r\n'),
  token('value', value),
  token('end of part', '\r\n'),
  token('delimiter', `--${boundary}`),
  token('line end 2', '\r\n'),
  token('file header', 'Content-Disposition: form-data; name="image_data"'),
  token('file name', '; filename="a.jpg"'),
  token('end of file header', '\r\n'),
  token('type header', 'Content-Type: image/jpeg\r\n'),
  token('end of file headers', '\r\n'),
  token('file', fileText),
  token('end of file', '\r\n'),
  token('last delimiter', `--${boundary}`),
  token('last dashes', '--'),
  token('last line end', '\r\n'),
  token('epilogue', ''),
];

/** Mutations of a part: a name and a replacement. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  gone: () => '',
  twice: (text) => text + text,
  'a thousand times': (text) => (text || 'x').slice(0, 64).repeat(1000),
  'half of it': (text) => text.slice(0, Math.floor(text.length / 2)),
  'other case': (text) => text.toUpperCase(),
  NUL: () => '\0',
  'line feed': () => '\n',
  'carriage return': () => '\r',
  quote: () => '"',
  backslash: () => '\\',
  dashes: () => '--',
  '\\xff': () => '\xff\xfe',
  'extended name': () => "; name*=UTF-8''%zz; name=",
  __proto__: () => '__proto__',
  empty: () => '""',
  '70 KB': () => 'x'.repeat(70_000),
  'another boundary': () => `\r\n--${boundary}--\r\n--${boundary}\r\n`,
};

export interface Variant {
  readonly name: string;
  readonly body: Buffer;
}

const joined = (tokens: readonly Token[]): Buffer =>
  Buffer.from(tokens.map(({ text }) => text).join(''), 'latin1');

/** The form with each mutation of each part, and truncated after each part. */
export function* variantsOf(tokens: readonly Token[]): Generator<Variant> {
  yield { name: 'as it should be', body: joined(tokens) };
  for (const [i, { name, text }] of tokens.entries()) {
    for (const [how, change] of Object.entries(changes)) {
      const body = joined(tokens.with(i, { name, text: change(text) }));
      yield { name: `${name}: ${how}`, body };
    }
    yield { name: `cut after ${name}`, body: joined(tokens.slice(0, i + 1)) };
  }
}
