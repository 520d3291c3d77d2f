import type { z } from 'zod';
import { didYouMean } from './closest.js';

/** The types that the file can have for a setting; flags and variables are text. */
type Given = string | number | boolean | readonly string[] | undefined;

/** One setting: its meaning, its valid values, and how it can be given. */
export interface Setting<S extends z.ZodType = z.ZodType, F extends Given = Given> {
  /** Parses a value from a flag, the environment, or the file. */
  readonly schema: S;
  /** One line for --help, the prompts, and the reference. */
  readonly about: string;
  /** The default, in the form used in the file; undefined means "not set". */
  readonly fallback: F | (() => F);
  /** Hidden by `config show`; may also be given as a file named by a `…_FILE` variable. */
  readonly secret?: boolean;
  /** Has no flag, because other users of the machine can read command arguments. */
  readonly flagless?: boolean;
}

export const setting = <S extends z.ZodType, F extends Given>(
  schema: S,
  about: Omit<Setting<S, F>, 'schema'>,
): Setting<S, F> => ({ schema, ...about });

/** The effective value of a setting. */
export type ValueOf<T> =
  T extends Setting<infer S, infer F> ? z.output<S> | Extract<F, undefined> : never;

export const fallbackOf = ({ fallback }: Setting): Given =>
  typeof fallback === 'function' ? fallback() : fallback;

/** The default as help and reference show it: the same text on every machine. */
export function defaultTextOf({ fallback }: Setting): string {
  if (typeof fallback === 'function') return 'depends on the machine';
  if (fallback === undefined) return 'not set';
  return Array.isArray(fallback) ? fallback.join(', ') || 'none' : String(fallback);
}

/** How a value is shown in --help and the reference. */
export const metavarOf = ({ schema }: Setting): string => schema.meta()?.metavar ?? 'value';

/**
 * An effective value for display, in a form that is also valid input. A duration is shown as it was
 * written, unless that was seconds without a unit.
 */
export function shownOf({ schema }: Setting, value: unknown, written: unknown): unknown {
  const shown = schema.meta()?.shown as ((value: unknown) => string) | undefined;
  if (value === undefined || !shown) return value;
  return typeof written === 'string' && /[a-z]$/.test(written.trim())
    ? written.trim()
    : shown(value);
}

/** All values that a setting can have; empty if they are too many to list. */
export const choicesOf = ({ schema }: Setting): readonly string[] => schema.meta()?.choices ?? [];

/** Completes a message about an invalid value. */
export const meantChoice = (setting: Setting, given: unknown): string =>
  typeof given === 'string' && !setting.secret ? didYouMean(given, choicesOf(setting)) : '';

/** What a schema expected instead of a rejected value: completes "must be …". */
export function expectationOf({ issues: [issue] }: z.ZodError): string {
  const expected = issue?.message ?? 'another value';
  return issue?.path.length ? `a list in which each value is ${expected}` : expected;
}
