import type { Readable } from 'node:stream';

/** Reads a stream until its output matches. @returns the output. @throws Error if it ends before. */
export async function readUntil(stream: Readable, expected: RegExp): Promise<string> {
  let output = '';
  const chunks = stream.setEncoding('utf8').iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    output += chunk as string;
    if (expected.test(output)) return output;
  }
  throw new Error(`It ended with: ${output}`);
}
