/** A body in the chunked transfer coding (RFC 9112, section 7.1), in chunks of this size. */
export function chunked(body: Uint8Array, size = 1000): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    chunks.push(
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      Buffer.from(chunk),
      Buffer.from('\r\n'),
    );
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** Bodies with "refresh_token=x" in malformed chunks. */
export const oddChunks: Readonly<Record<string, string>> = {
  'a size that is no number': 'zz\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size below nothing': '-1\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size with a sign': '+f\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size with 0x': '0xf\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size of sixteen digits': 'ffffffffffffffff\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size of twenty digits': 'fffffffffffffffffff\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size too large': 'ff\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a size too small': '3\r\nrefresh_token=x\r\n0\r\n\r\n',
  'no size': '\r\nrefresh_token=x\r\n0\r\n\r\n',
  'blanks before the size': '  f\r\nrefresh_token=x\r\n0\r\n\r\n',
  'line feeds alone': 'f\nrefresh_token=x\n0\n\n',
  'no line end after the chunk': 'frefresh_token=x0\r\n\r\n',
  'no line end after the data': 'f\r\nrefresh_token=x0\r\n\r\n',
  'an extension': 'f;a=b\r\nrefresh_token=x\r\n0\r\n\r\n',
  'an extension of 100 KB': `f;${'a'.repeat(100_000)}\r\nrefresh_token=x\r\n0\r\n\r\n`,
  'a hundred thousand extensions': `f${';a=b'.repeat(100_000)}\r\nrefresh_token=x\r\n0\r\n\r\n`,
  'an extension with a quote': 'f;a="\r\nrefresh_token=x\r\n0\r\n\r\n',
  'a trailer': 'f\r\nrefresh_token=x\r\n0\r\nX-Trailer: 1\r\n\r\n',
  'a trailer with a length': 'f\r\nrefresh_token=x\r\n0\r\nContent-Length: 99\r\n\r\n',
  'a trailer of 100 KB': `f\r\nrefresh_token=x\r\n0\r\nX-Trailer: ${'a'.repeat(100_000)}\r\n\r\n`,
  'ten thousand trailers': `f\r\nrefresh_token=x\r\n0\r\n${'X-Trailer: 1\r\n'.repeat(10_000)}\r\n`,
  'a trailer without a colon': 'f\r\nrefresh_token=x\r\n0\r\nX-Trailer\r\n\r\n',
  'no end': 'f\r\nrefresh_token=x\r\n',
  'no last line': 'f\r\nrefresh_token=x\r\n0\r\n',
  'two ends': 'f\r\nrefresh_token=x\r\n0\r\n\r\n0\r\n\r\n',
  'chunks of one byte': [...'refresh_token=x'].map((c) => `1\r\n${c}\r\n`).join('') + '0\r\n\r\n',
  'leading noughts': `${'0'.repeat(200)}f\r\nrefresh_token=x\r\n0\r\n\r\n`,
  NUL: 'f\0\r\nrefresh_token=x\r\n0\r\n\r\n',
};
