/** A command of a page, with the answer shown after it and the values to keep from it. */
export interface Step {
  readonly command: string;
  /** The shown answer; undefined if there is none. */
  readonly answer: string | undefined;
  /** Names of variables for later commands, with the paths of their values in the answer. */
  readonly kept: readonly (readonly [variable: string, path: string])[];
}

const block = /```sh\n(.+?)```\n(?:\n```json\n(.+?)```\n)?(?:\n<!-- keep (.+?) -->\n)?/gs;

/** `FOLDER_ID=result.id …` */
const pairs = (text: string): [string, string][] =>
  text.split(' ').map((pair) => pair.split('=', 2) as [string, string]);

/** All commands of a page in order. */
export const stepsOf = (page: string): Step[] =>
  [...page.matchAll(block)].map(([, command = '', answer, kept]) => ({
    command,
    answer,
    kept: kept === undefined ? [] : pairs(kept),
  }));

/** The value at a path such as `result.items.0.id`. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, key) => (at as Record<string, unknown> | null)?.[key], value);
