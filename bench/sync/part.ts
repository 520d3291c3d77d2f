import type { Scope } from '../../testkit/scope.js';

/** The result of a part of the soak. */
export interface PartResult {
  /** For the report. */
  readonly details: readonly string[];
  /** Violations of the guarantees. */
  readonly findings: readonly string[];
}

/** The extent of a run. */
export interface Extent {
  /** Duration of writes in the replica part. */
  readonly minutes: number;
  /** Upload sets. */
  readonly sets: number;
  /** Changes per user in each stage of the webhooks part. */
  readonly events: number;
}

/** A part of the synchronization soak, which starts its own servers. */
export interface Part {
  readonly name: string;
  readonly about: string;
  readonly run: (
    scope: Scope,
    report: (line: string) => void,
    extent: Extent,
  ) => Promise<PartResult>;
}
