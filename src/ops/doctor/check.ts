import type { DoctorContext } from './context.js';

export type Level = 'ok' | 'warning' | 'problem' | 'skipped';

/** What a check found. */
export interface Diagnosis {
  readonly level: Level;
  /** A sentence with the relevant values. */
  readonly message: string;
  /** A command or an instruction that fixes it; undefined if nothing is wrong. */
  readonly remedy?: string;
}

export const ok = (message: string): Diagnosis => ({ level: 'ok', message });

/** Works, but not as it should, or not for long. */
export const warning = (message: string, remedy: string): Diagnosis => ({
  level: 'warning',
  message,
  remedy,
});

/** Does not work, or loses data. */
export const problem = (message: string, remedy: string): Diagnosis => ({
  level: 'problem',
  message,
  remedy,
});

export const skipped = (reason: string): Diagnosis => ({
  level: 'skipped',
  message: `Skipped because ${reason}.`,
});

/** In the order in which they are shown, with their headings. */
export const categories = {
  machine: 'Machine',
  home: 'Home and settings',
  database: 'Database',
  store: 'Object store',
  service: 'Service',
  upkeep: 'Upkeep',
} as const;

/** Checks one aspect. Checks are independent of each other, and change nothing. */
export interface Check {
  /** Its name for `--only`. */
  readonly name: string;
  /** The state that the check expects. */
  readonly title: string;
  readonly category: keyof typeof categories;
  /** @throws Skip, or any error, which becomes its diagnosis. */
  readonly run: (context: DoctorContext) => Diagnosis | Promise<Diagnosis>;
  /** Fixes what `run` finds, if that is safe; for `--fix`. @returns what it did, in a sentence. */
  readonly fix?: (context: DoctorContext) => Promise<string>;
}
