import { isIP } from 'node:net';
import { z } from 'zod';
import { didYouMean } from '../text.js';
import { dayMs, hourMs, minuteMs, secondMs } from '../units.js';
import { namesHostsWell, urlsOfHosts } from './database-hosts.js';

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
  /** What applies without it from imgstore 0.5 on. Until then it works, but nothing lists it. */
  readonly retires?: string;
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

/** The time zone of this machine; UTC when Node and PostgreSQL do not interpret its name alike. */
export function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? currentZone(timeZone) : 'UTC';
}

/** Names that Node goes on giving to zones, and what they are called today. */
const renamedZones = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

/**
 * The name of a zone today: PostgreSQL need not know former ones, which Debian 13 and the official images
 * leave out.
 */
function currentZone(zone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  return renamedZones.get(timeZone) ?? timeZone;
}

/**
 * Names without a region, such as CET, mean a zone with daylight saving time to Node and a fixed
 * offset to PostgreSQL; offsets such as +09:00 count eastward in one and westward in the other.
 */
function isTimeZone(zone: string): boolean {
  if (zone !== 'UTC' && !/^[A-Za-z]\w*(\/[\w+-]+)+$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

declare module 'zod' {
  interface GlobalMeta {
    /** How a value is shown in usage, as in `--port <0–65535>`. */
    readonly metavar?: string;
    /** All possible values, if they are few. */
    readonly choices?: readonly string[];
    /** The text of a parsed value, in its input form. */
    readonly shown?: (value: never) => string;
  }
}

// A schema's error message completes "must be …".

/** Text of a flag or variable, or a scalar of the file; trimmed. */
const scalar = z
  .custom<string | number | boolean>(
    (given) => ['string', 'number', 'boolean'].includes(typeof given),
    'a single value',
  )
  .transform((given) => String(given).trim());

const filled = scalar.pipe(z.string().min(1, 'not empty'));

export const text = (metavar = 'text') => filled.meta({ metavar });

export const pattern = (regex: RegExp, error: string, metavar: string) =>
  filled.pipe(z.string().regex(regex, error)).meta({ metavar });

const originExpected =
  'an origin of scheme, host and port alone, such as https://app.example, capacitor://localhost or chrome-extension://ID';

/** Schemes of pages on the web, of frameworks for apps, and of extensions of browsers. */
const originForm =
  /^(https?|capacitor|ionic|tauri|app|[a-z]+(-[a-z]+)*-extension):\/\/[^/?#@*\s]+\/?$/i;

/** A web origin as browsers send it but for its case, or `*` for all of them. */
export const webOrigin = filled
  .refine(
    (given) => given === '*' || (originForm.test(given) && URL.canParse(given)),
    originExpected,
  )
  .transform((given) => {
    const { protocol, host } = given === '*' ? { protocol: '', host: '' } : new URL(given);
    return given === '*' ? given : `${protocol}//${host}`.toLowerCase();
  })
  .meta({ metavar: 'url' });

/** The name of an HTTP header (RFC 9110, section 5.6.2). */
export const headerName = pattern(/^[\w!#$%&'*+.^`|~-]+$/, 'the name of a header', 'name');

const endpointUrlExpected =
  'a URL of scheme, host, port, and path alone, such as https://s3.example.com';

/** A base URL, below which a server has its own paths: no user, no query. */
export const endpointUrl = filled
  .pipe(
    z
      .url({ protocol: /^https?$/, error: endpointUrlExpected })
      .regex(/^https?:\/\/[^/?#@\s]+(\/[\w.~-]+)*\/?$/i, endpointUrlExpected)
      // Case makes no difference before the path.
      .transform((url) => url.replace(/^[^/]+\/\/[^/]+/, (origin) => origin.toLowerCase())),
  )
  .meta({ metavar: 'url' });

/** A URL that is taken as it is. */
export const webUrl = filled
  .pipe(z.url({ protocol: /^https?$/, error: 'an http:// or https:// URL' }))
  .meta({ metavar: 'url' });

const issuerExpected =
  'an https:// URL without a query, such as https://login.example.com/realms/office (http:// for 127.0.0.1 alone)';

/** The name of an OpenID Connect provider, below which its discovery document is. */
export const issuerUrl = filled
  .refine((given) => {
    if (!URL.canParse(given) || /[?#\s]/.test(given)) return false;
    const { protocol, hostname, username } = new URL(given);
    return (
      username === '' &&
      (protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1'))
    );
  }, issuerExpected)
  .meta({ metavar: 'url' });

/** A value that a claim of a person has. */
export const claimValue = pattern(
  /^[^=\s]+=.+$/,
  'a claim and its value, such as groups=imgstore-admins',
  'claim=value',
);

/** The same, and a platform. */
export const claimOfPlatform = pattern(
  /^[^=\s]+=.+:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  'a claim, its value, and the id of a platform, such as groups=survey:0199b1a2-7c3e-7d52-8a3c-1f4b01c39e66',
  'claim=value:id',
);

const tileUrlExpected =
  'an https:// or http:// URL that contains {z}, {x} and {y}, or that ends with .pmtiles';

/** URL of the tiles of a map. */
export const tileUrl = filled
  .pipe(
    z
      .url({ protocol: /^https?$/, error: tileUrlExpected })
      .refine(
        (url) =>
          /\.pmtiles$/.test(url) || ['{z}', '{x}', '{y}'].every((part) => url.includes(part)),
        tileUrlExpected,
      ),
  )
  .meta({ metavar: 'url' });

function isNetwork(given: string): boolean {
  const [, ip = '', prefix = ''] = /^([^%]+)\/(\d{1,3})$/.exec(given) ?? [];
  const version = isIP(ip);
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** An IP range. */
export const network = filled.pipe(
  z.string().refine(isNetwork, 'an IP range such as 10.1.0.0/16 or fd00:1::/64'),
);

/** A Unix socket has an empty host (`postgresql://user@/name?host=/run/postgresql`), which z.url rejects. */
const anyPostgresUrl = pattern(
  /^postgres(ql)?:\/\/\S+$/,
  'a URL that starts with postgresql://',
  'url',
);

/** The URL of a database on one host, or on several of which one takes writes. */
export const postgresUrl = anyPostgresUrl
  .refine(
    namesHostsWell,
    'like postgresql://USER:PASSWORD@HOST1:5432,HOST2:5432/DATABASE?target_session_attrs=read-write if it names several hosts',
  )
  .meta({ metavar: 'url' });

export const replicaUrl = anyPostgresUrl
  .refine((url) => urlsOfHosts(url).length === 1, 'a URL that names one host')
  .meta({ metavar: 'url' });

export const timeZone = filled
  .refine(isTimeZone, 'an IANA time zone with its region, such as Asia/Seoul, or UTC')
  .transform(currentZone)
  .meta({ metavar: 'zone' });

const numeric = scalar.transform((given) => (given === '' ? NaN : Number(given)));

export function number(min: number, max: number) {
  const error = `a number from ${min} to ${max}`;
  const range = z.number(error).min(min, error).max(max, error);
  return numeric.pipe(range).meta({ metavar: `${min}–${max}` });
}

export function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  const range = z.number(error).int(error).min(min, error).max(max, error);
  return numeric.pipe(range).meta({ metavar: `${min}–${max}` });
}

export const oneOf = <const C extends readonly string[]>(...choices: C) =>
  scalar
    .pipe(z.enum(choices, `one of ${choices.join(', ')}`))
    .meta({ metavar: choices.join('|'), choices });

const flagWords = new Map([
  ['true', true],
  ['false', false],
]);

export const flag = scalar
  .transform((given) => flagWords.get(given.toLowerCase()))
  .pipe(z.boolean('true or false'))
  .meta({ metavar: 'true|false', choices: [...flagWords.keys()] });

const unitsMs: Readonly<Record<string, number>> = {
  s: secondMs,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
};

const durationExpected = 'a duration such as 90s, 30m, 12h or 90d';
const durationForm = z.string().regex(/^\d{1,9}[smhd]?$/, durationExpected);
const secondsOf = (given: string): number =>
  (parseInt(given) * (unitsMs[given.slice(-1)] ?? secondMs)) / secondMs;

/** Seconds in the largest unit that divides them: `90d`, `12h`, `90s`. */
export function durationText(seconds: number): string {
  const units = Object.entries(unitsMs).reverse();
  const [unit, ms] = units.find(([, size]) => (seconds * secondMs) % size === 0) ?? ['s', secondMs];
  return `${(seconds * secondMs) / ms}${unit}`;
}

/** A duration such as `90s`, `30m`, `12h`, `90d`, or plain seconds; stored in seconds. */
export const duration = scalar
  .pipe(durationForm)
  .transform(secondsOf)
  .refine((seconds) => seconds > 0, durationExpected)
  .meta({ metavar: 'duration', shown: durationText });

/** A duration, or 0. */
export const durationOrNone = scalar
  .pipe(durationForm)
  .transform(secondsOf)
  .meta({
    metavar: 'duration',
    shown: (seconds: number) => (seconds === 0 ? '0' : durationText(seconds)),
  });

const unitsBytes: Readonly<Record<string, number>> = {
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

const sizeExpected = 'a size such as 500MB, 20GB or 1TB';

/** Bytes in the largest unit that divides them: `20GB`. */
function byteText(bytes: number): string {
  const [unit, size] = Object.entries(unitsBytes)
    .reverse()
    .find(([, unitBytes]) => bytes > 0 && bytes % unitBytes === 0) ?? ['', 1];
  return `${bytes / size}${unit}`;
}

/** An amount such as `500MB` or `20GB`, with binary units (1 KB is 1,024 bytes), or plain bytes. */
export const byteSize = scalar
  .pipe(z.string().regex(/^\d{1,12}([KMGT]B)?$/i, sizeExpected))
  .transform((given) => parseInt(given) * (unitsBytes[given.slice(-2).toUpperCase()] ?? 1))
  .meta({ metavar: 'size', shown: byteText });

const itemsOf = (given: unknown): unknown[] =>
  Array.isArray(given) ? given : String(given).split(',');

/** Several values: a YAML list, or comma-separated text; empty ones are ignored. */
export const list = (item: z.ZodType<string>) =>
  z
    .preprocess((given) => itemsOf(given).filter((i) => String(i).trim() !== ''), z.array(item))
    .meta({ metavar: 'a,b,…' });

/** A sentence if the setting, given at this place, will soon be none. */
export const noticesOf = ({ retires }: Setting, place: string): string[] =>
  retires === undefined ? [] : [`${place} goes with imgstore 0.5: ${retires}.`];
