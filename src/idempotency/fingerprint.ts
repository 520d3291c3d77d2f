import { createHash } from 'node:crypto';

/** What makes two requests the same. */
export interface ComparedRequest {
  /** Stands for the method and the path. */
  readonly operation: string;
  /** The ids in the path. */
  readonly path: object;
  /** Known fields, as understood. */
  readonly input: object;
  /** SHA-256 of the file. */
  readonly file?: Buffer | undefined;
}

/** SHA-256 of a request as understood, whatever the order and the spelling of its fields. */
export function fingerprintOf({ operation, path, input, file }: ComparedRequest): Buffer {
  const said = [operation, path, input, file?.toString('hex')];
  return createHash('sha256').update(JSON.stringify(said, inOrder)).digest();
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
