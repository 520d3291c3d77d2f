import type { Examples } from './examples.js';
import type { SchemaWriter } from './json-schema.js';

/** Helpers shared by the parts of a document. */
export interface Tools {
  readonly schemas: SchemaWriter;
  readonly examples: Examples;
}
