import type { z } from 'zod';

/** What the file can give for a setting; flags and variables give text. */
type Given = string | number | boolean | readonly string[] | undefined;

/** One setting: what it means, which values it takes, and how it may be given. */
export interface Setting<S extends z.ZodType = z.ZodType, F extends Given = Given> {
  /** Reads a value of a flag, the environment or the file. */
  readonly schema: S;
  /** One line for --help, the prompts and the reference. */
  readonly about: string;
  /** The value when nobody gives one, as the file would give it; undefined means "not set". */
  readonly fallback: F | (() => F);
  /** Hidden by `config show`; may also be given as a file that a variable `…_FILE` names. */
  readonly secret?: boolean;
  /** Has no flag: other users of the machine can read the arguments of a command. */
  readonly flagless?: boolean;
  /**
   * Asked by `imgstore init` when flags, environment and file leave it open; a key in place of true
   * says that the question makes sense only where that setting has a value.
   */
  readonly asked?: true | string;
}

export const setting = <S extends z.ZodType, F extends Given>(
  schema: S,
  about: Omit<Setting<S, F>, 'schema'>,
): Setting<S, F> => ({ schema, ...about });

/** The value that a setting has in the end. */
export type ValueOf<T> =
  T extends Setting<infer S, infer F> ? z.output<S> | Extract<F, undefined> : never;

export const fallbackOf = ({ fallback }: Setting): Given =>
  typeof fallback === 'function' ? fallback() : fallback;

/** What a value looks like, for --help and the reference. */
export const metavarOf = ({ schema }: Setting): string => schema.meta()?.metavar ?? 'value';

/** What a value must be that a schema has refused: completes "must be …". */
export function expectationOf({ issues: [issue] }: z.ZodError): string {
  const expected = issue?.message ?? 'another value';
  return issue?.path.length ? `a list whose values are each ${expected}` : expected;
}
