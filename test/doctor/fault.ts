import type { Circumstances, Patient, Undo } from './patient.js';

/** Something that goes wrong in installations. */
export interface Fault {
  readonly what: string;
  /** The check that must name it. */
  readonly check: string;
  readonly level: 'warning' | 'problem';
  readonly says: RegExp;
  /** What the cure must have: a command, with its values. */
  readonly cure: RegExp;
  /** What is given to doctor, or done before; whatever is done is undone. */
  readonly given?: Circumstances;
  readonly inject?: (patient: Patient) => Promise<Undo | { undo: Undo; given: Circumstances }>;
  /** What `--fix` says, for what it cures. */
  readonly fixed?: RegExp;
}
