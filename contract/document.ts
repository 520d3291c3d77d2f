import { operationAt } from '../testkit/operations.js';
import type { OperationName } from '../testkit/operations.js';

/** A method on a path, as the server's own document lists it. */
export interface Route {
  readonly method: string;
  /** With `{name}` placeholders. */
  readonly path: string;
  /** Undefined for a route that the suite has never heard of. */
  readonly operation: OperationName | undefined;
}

/** All routes of `/openapi.json`. */
export async function readRoutes(base: string): Promise<Route[]> {
  const answer = await fetch(new URL('/openapi.json', base));
  if (!answer.ok) throw new Error(`${base} answers ${answer.status} for /openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((name) => {
      const method = name.toUpperCase();
      return { method, path, operation: operationAt(method, path) };
    }),
  );
}
