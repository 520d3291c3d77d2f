/** What one setting may be: how its text is read, checked, shown and described. */
export interface Setting<T> {
  /** One line for --help, the prompts and the reference. */
  readonly about: string;
  /** The value when nobody gives one; undefined means "not set". */
  readonly fallback: T | (() => T);
  /** What a value looks like, as in `--port <0–65535>`. */
  readonly shape: string;
  /** Reads a value from a flag, the environment or the file. Throws an Error that completes "must be …". */
  readonly read: (raw: unknown) => T;
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

interface About<T> {
  readonly about: string;
  readonly fallback: T | (() => T);
  readonly secret?: boolean;
  readonly flagless?: boolean;
  readonly asked?: true | string;
}

const mustBe = (expected: string): never => {
  throw new Error(expected);
};

const asText = (raw: unknown): string =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean'
    ? String(raw).trim()
    : mustBe('a single value');

export function text<T extends string | undefined>(
  spec: About<T> & { shape?: string; check?: (value: string) => string | undefined },
): Setting<T | string> {
  return {
    shape: 'text',
    ...spec,
    read: (raw) => {
      const value = asText(raw);
      const expected = value === '' ? 'not empty' : spec.check?.(value);
      return expected === undefined ? value : mustBe(expected);
    },
  };
}

export function number<T extends number | undefined>(
  spec: About<T> & { min: number; max: number; whole?: boolean },
): Setting<T | number> {
  const shape = `${spec.min}–${spec.max}`;
  return {
    ...spec,
    shape,
    read: (raw) => {
      const value = asText(raw) === '' ? NaN : Number(asText(raw));
      const good =
        value >= spec.min && value <= spec.max && (!spec.whole || Number.isInteger(value));
      return good
        ? value
        : mustBe(`a ${spec.whole ? 'whole ' : ''}number from ${spec.min} to ${spec.max}`);
    },
  };
}

export function choice<const C extends readonly string[]>(
  spec: About<C[number]> & { choices: C },
): Setting<C[number]> {
  return {
    ...spec,
    shape: spec.choices.join('|'),
    read: (raw) =>
      spec.choices.find((c) => c === asText(raw)) ?? mustBe(`one of ${spec.choices.join(', ')}`),
  };
}

const secondsIn: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400 };

/** A span of time, given as `90s`, `30m`, `12h`, `90d` or plain seconds; kept in seconds. */
export function duration(spec: About<number>): Setting<number> {
  return {
    ...spec,
    shape: 'duration',
    read: (raw) => {
      const match = /^(\d{1,9})([smhd]?)$/.exec(asText(raw));
      const seconds = match ? Number(match[1]) * (secondsIn[match[2] || 's'] ?? 1) : 0;
      return seconds > 0 ? seconds : mustBe('a duration such as 90s, 30m, 12h or 90d');
    },
  };
}

/** Several values: a YAML list, or text with commas. */
export function list(
  spec: About<readonly string[]> & { check?: (value: string) => string | undefined },
): Setting<readonly string[]> {
  return {
    ...spec,
    shape: 'a,b,…',
    read: (raw) => {
      const items = Array.isArray(raw) ? raw.map(asText) : asText(raw).split(',');
      const values = items.map((item) => item.trim()).filter((item) => item !== '');
      const expected = spec.check && values.map(spec.check).find((e) => e !== undefined);
      return expected === undefined ? values : mustBe(`a list whose values are each ${expected}`);
    },
  };
}
