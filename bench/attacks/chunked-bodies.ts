import { runInParallel, type Attack } from './attack.js';
import { Pour, boundary } from './pour.js';

const encodeChunk = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n`;

const head =
  'POST /api/v1/auth/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n' +
  `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`;
const start = `--${boundary}\r\n`;
const disposition = 'Content-Disposition: form-data; name="a"\r\n\r\na\r\n';

/** Where a form has no end: before its first part, in a header, after its last part. */
const heads = [
  head,
  head + encodeChunk(`${start}X-Endless: `),
  head + encodeChunk(`${start}${disposition}--${boundary}--\r\n`),
];
const chunk = Buffer.from(encodeChunk('x'.repeat(65_536)));

/** Three endless chunked forms, on a route whose forms are small. */
export const chunkedBodies: Attack = {
  name: '5 chunked bodies',
  seconds: 14,
  prepare:
    async ({ port }) =>
    async (signal) => {
      const pour = new Pour();
      await runInParallel(heads.length, signal, (worker) =>
        pour.send(port, { head: heads[worker] ?? head, chunk, limit: Infinity, signal }),
      );
      return pour.toString();
    },
};
