import type { Examples } from './examples.js';
import type { SchemaWriter } from './json-schema.js';

/** What the parts of a document are written with. */
export interface Tools {
  readonly schemas: SchemaWriter;
  readonly examples: Examples;
}
