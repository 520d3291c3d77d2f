import type { Scope } from '../../testkit/scope.js';

/** What a part of the soak found out. */
export interface Shown {
  /** For the report. */
  readonly facts: readonly string[];
  /** What must not happen. */
  readonly findings: readonly string[];
}

/** A part of the soak of synchronization, which starts what it needs. */
export interface Part {
  readonly name: string;
  readonly about: string;
  readonly run: (scope: Scope, report: (line: string) => void) => Promise<Shown>;
}
