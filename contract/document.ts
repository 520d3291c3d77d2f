import type { ApiDocument } from '../testkit/documented.js';
import { operationAt } from '../testkit/operations.js';
import type { OperationName } from '../testkit/operations.js';

/** A method on a path, as listed in the server's own document. */
export interface Route {
  readonly method: string;
  /** With `{name}` placeholders. */
  readonly path: string;
  /** Undefined for a route unknown to the suite. */
  readonly operation: OperationName | undefined;
}

/** All routes of a document. */
export function routesOf({ paths }: ApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((name) => {
      const method = name.toUpperCase();
      return { method, path, operation: operationAt(method, path) };
    }),
  );
}
