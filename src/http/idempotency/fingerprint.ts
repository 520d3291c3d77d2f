import { createHash } from 'node:crypto';

/** The parts of a request that are compared with another. */
export interface ComparedRequest {
  /** Stands for the method and the path. */
  readonly operation: string;
  /** The ids in the path. */
  readonly path: object;
  /** Known fields, validated. */
  readonly input: object;
  /** SHA-256 of the file. */
  readonly file?: Buffer | undefined;
}

/** SHA-256 of a validated request, independent of the order and notation of its fields. */
export function fingerprintOf({ operation, path, input, file }: ComparedRequest): Buffer {
  const said = [operation, path, input, file?.toString('hex')];
  return createHash('sha256').update(JSON.stringify(said, inOrder)).digest();
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
