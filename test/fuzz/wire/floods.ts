import { boundary } from './upload-form.js';

const mb = 1024 * 1024;
const start = `--${boundary}\r\n`;
const disposition = 'Content-Disposition: form-data; name="a"';

/** Multipart bodies of several megabytes, by what is large. None needs to be read completely. */
export const multipartFloods = (size = 8 * mb): Readonly<Record<string, string>> => ({
  'a large preamble': `${'x'.repeat(size)}\r\n${start}${disposition}\r\n\r\na\r\n--${boundary}--\r\n`,
  'a preamble of line ends': `${'\r\n'.repeat(size / 2)}${start}`,
  'a preamble of dashes': `${'\r\n--'.repeat(size / 4)}${start}`,
  'a large epilogue': `${start}${disposition}\r\n\r\na\r\n--${boundary}--\r\n${'x'.repeat(size)}`,
  'a large header of a part': `${start}X-Large: ${'x'.repeat(size)}\r\n\r\na\r\n--${boundary}--\r\n`,
  'many headers of a part': `${start}${'X-Many: a\r\n'.repeat(size / 11)}\r\na\r\n--${boundary}--\r\n`,
  'a large field': `${start}${disposition}\r\n\r\n${'x'.repeat(size)}\r\n--${boundary}--\r\n`,
  'many parts without headers': `${start}\r\n\r\n`.repeat(size / 32),
  'many fields': `${start}${disposition}\r\n\r\na\r\n`.repeat(size / 64),
  'many files': `${start}${disposition}; filename="b"\r\n\r\na\r\n`.repeat(size / 80),
  'many files of no size': `${start}${disposition}; filename="b"\r\n\r\n\r\n`.repeat(size / 80),
});

/** The same for urlencoded forms. */
export const urlencodedFloods = (size = 8 * mb): Readonly<Record<string, string>> => ({
  'a large value': `a=${'x'.repeat(size)}`,
  'a large name': 'x'.repeat(size),
  'many pairs': 'a=b&'.repeat(size / 4),
  'ampersands alone': '&'.repeat(size),
  'escapes alone': '%'.repeat(size),
});
