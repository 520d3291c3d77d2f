import type { Readable } from 'node:stream';

/** Everything that a stream has said when this matches. @throws Error if it ends before. */
export async function readUntil(stream: Readable, expected: RegExp): Promise<string> {
  let said = '';
  const chunks = stream.setEncoding('utf8').iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    said += chunk as string;
    if (expected.test(said)) return said;
  }
  throw new Error(`It ended with: ${said}`);
}
