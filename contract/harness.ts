import type { OperationName } from '../testkit/operations.js';
import type { WatchedWorld } from './watched-client.js';

/** One rule of docs/interface, checked against a running server. */
export interface Check {
  /** The operation that the rule is about; `document` if it is about /openapi.json itself. */
  readonly operation: OperationName | 'document';
  /** The paragraph of docs/interface, as it is written there, and the rule. */
  readonly name: string;
  readonly run: (world: WatchedWorld) => Promise<void>;
}

export interface Area {
  readonly name: string;
  readonly checks: readonly Check[];
}

type Declare = (
  operation: Check['operation'],
  name: string,
  run: (world: WatchedWorld) => Promise<void>,
) => void;

/** Collects the checks of one area. */
export function area(name: string, declare: (check: Declare) => void): Area {
  const checks: Check[] = [];
  declare((operation, rule, run) => checks.push({ operation, name: rule, run }));
  return { name, checks };
}
