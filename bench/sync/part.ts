import type { Scope } from '../../testkit/scope.js';

/** What a part of the soak found out. */
export interface Shown {
  /** For the report. */
  readonly facts: readonly string[];
  /** What must not happen. */
  readonly findings: readonly string[];
}

/** How much of it; the whole by default. */
export interface Extent {
  /** How long the replica is written to. */
  readonly minutes: number;
  /** Upload sets. */
  readonly sets: number;
  /** Changes that webhooks send of each user, in each stage. */
  readonly events: number;
}

/** A part of the soak of synchronization, which starts what it needs. */
export interface Part {
  readonly name: string;
  readonly about: string;
  readonly run: (scope: Scope, report: (line: string) => void, extent: Extent) => Promise<Shown>;
}
