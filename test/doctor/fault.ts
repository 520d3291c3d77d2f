import type { Circumstances, Patient, Undo } from './patient.js';

/** A fault of an installation, and how doctor must report it. */
export interface Fault {
  readonly what: string;
  /** The check that must report it. */
  readonly check: string;
  readonly level: 'warning' | 'problem';
  readonly says: RegExp;
  /** What the remedy must contain: a command with its values. */
  readonly cure: RegExp;
  /** Options for doctor, or a function that causes the fault, which is undone afterward. */
  readonly given?: Circumstances;
  readonly inject?: (patient: Patient) => Promise<Undo | { undo: Undo; given: Circumstances }>;
  /** The output of `--fix`, if it can fix the fault. */
  readonly fixed?: RegExp;
}
