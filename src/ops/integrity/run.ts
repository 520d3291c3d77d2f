import type { EntityManager } from 'typeorm';
import type { ObjectStore } from '../../store/port.js';
import type { Findings } from './findings.js';
import type { Repair } from './repair.js';

/** State shared by the steps of a verification. */
export interface Run {
  /** The connection that holds the verification lock. */
  readonly session: EntityManager;
  readonly store: ObjectStore;
  readonly findings: Findings;
  /** Undefined if nothing may be changed. */
  readonly repair: Repair | undefined;
  /** See {@link graceMs} in objects.ts. */
  readonly graceMs: number;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}
