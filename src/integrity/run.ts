import type { EntityManager } from 'typeorm';
import type { ObjectStore } from '../store/port.js';
import type { Findings } from './findings.js';
import type { Repair } from './repair.js';

/** What the steps of a verification share. */
export interface Run {
  /** The connection that holds the lock for verifying. */
  readonly session: EntityManager;
  readonly store: ObjectStore;
  readonly findings: Findings;
  /** Undefined if nothing is to be changed. */
  readonly repair: Repair | undefined;
  /** See {@link graceMs} in objects.ts. */
  readonly graceMs: number;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}
