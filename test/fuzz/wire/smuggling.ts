const route =
  'POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n';

/** Bytes that must not be taken for a request, which would be answered with 404. */
const hidden = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';

const length = (text: string): string => `Content-Length: ${text.length}\r\n`;

/** Requests with two contradictory lengths. No server may answer the requests hidden in them. */
export const smuggling: Readonly<Record<string, string>> = {
  'a length and chunks': `${route}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks and a length': `${route}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
  'two lengths': `${route}Content-Length: 0\r\n${length(hidden)}\r\n${hidden}`,
  'two lengths, the long one first': `${route}${length(hidden)}Content-Length: 0\r\n\r\n${hidden}`,
  'two lengths in one': `${route}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  'a length with a sign': `${route}Content-Length: +0\r\n\r\n${hidden}`,
  'a length below nothing': `${route}Content-Length: -1\r\n\r\n${hidden}`,
  'a length in hex': `${route}Content-Length: 0x0\r\n\r\n${hidden}`,
  'a length beyond counting': `${route}Content-Length: 99999999999999999999\r\n\r\n${hidden}`,
  'a length with a tab': `${route}Content-Length:\t0 1\r\n\r\n${hidden}`,
  'chunks, but not last': `${route}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks twice': `${route}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks, misspelt': `${route}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks with a vertical tab': `${route}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks after a fold': `${route}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks with a blank name': `${route}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'a header in a header': `${route}Foo: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
};
