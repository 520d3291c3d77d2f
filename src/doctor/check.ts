import type { DoctorContext } from './context.js';

export type Level = 'ok' | 'warning' | 'problem' | 'skipped';

/** What a check found. */
export interface Finding {
  readonly level: Level;
  /** A sentence, with the values that it is about. */
  readonly message: string;
  /** What cures it: a command, or what to do; undefined where nothing is wrong. */
  readonly remedy?: string;
}

export const ok = (message: string): Finding => ({ level: 'ok', message });

/** Works, but not as it should, or not for long. */
export const warning = (message: string, remedy: string): Finding => ({
  ...{ level: 'warning', message, remedy },
});

/** Does not work, or loses data. */
export const problem = (message: string, remedy: string): Finding => ({
  ...{ level: 'problem', message, remedy },
});

export const skipped = (reason: string): Finding => ({
  ...{ level: 'skipped', message: `Skipped because ${reason}.` },
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

/** Looks at one thing. Checks know nothing of each other, and change nothing. */
export interface Check {
  /** What `--only` calls it. */
  readonly name: string;
  /** What is right when all is well. */
  readonly title: string;
  readonly category: keyof typeof categories;
  /** @throws Skip, or what it failed with, which becomes its finding. */
  readonly run: (context: DoctorContext) => Finding | Promise<Finding>;
  /**
   * Cures what `run` finds, where that can do no harm; for `--fix`. @returns what it did, in a sentence.
   */
  readonly fix?: (context: DoctorContext) => Promise<string>;
}
