import { availableParallelism } from 'node:os';
import { usualConnections } from '../os/descriptors.js';
import { knownZone, machineZone, originOf, postgresUrl, urlOf } from './checks.js';
import { choice, duration, list, number, text } from './kinds.js';
import { imagingMemoryMb } from '../os/machine-memory.js';

/**
 * Every setting of imgstore, once. Flags (`--database-url`), environment variables
 * (`IMGSTORE_DATABASE_URL`), keys of config.yaml, the questions of `init`, --help and the
 * reference in docs/configuration.md all come from this table.
 */
export const options = {
  host: text({
    about: 'Address that the API listens on',
    fallback: '127.0.0.1',
    shape: 'address',
  }),
  port: number({
    about: 'TCP port of the API; 0 takes a free one',
    fallback: 8080,
    min: 0,
    max: 65_535,
    whole: true,
    asked: true,
  }),
  public_url: text({
    about:
      'Address at which clients reach the API, for signed addresses; default: as each request says',
    fallback: undefined,
    shape: 'url',
    check: urlOf('http:', 'https:'),
  }),
  trust_proxy: number({
    about: 'Reverse proxies in front, whose X-Forwarded-* headers are believed',
    fallback: 0,
    min: 0,
    max: 10,
    whole: true,
  }),
  timezone: text({
    about:
      "Time zone of all times in requests and answers; default: the machine's, or UTC if it has no region",
    fallback: machineZone,
    shape: 'zone',
    check: knownZone,
  }),
  signed_url_ttl: duration({
    about: 'How long a signed address is valid, at least',
    fallback: 3600,
  }),
  'cors.origins': list({
    about: 'Web origins that may call the API from a browser; * for all',
    fallback: [],
    check: (value) => (value === '*' ? undefined : urlOf('http:', 'https:')(value)),
  }),
  'database.url': text({
    about: 'PostgreSQL with PostGIS to use; default: a private cluster in the home directory',
    fallback: undefined,
    shape: 'url',
    secret: true,
    asked: true,
    check: postgresUrl,
  }),
  'database.replicas': list({
    about: 'Standby servers of the database, which lists and statistics are read from; their URLs',
    fallback: [],
    secret: true,
    flagless: true,
    check: postgresUrl,
  }),
  'database.pool_size': number({
    about: 'Database connections that one node holds at most',
    fallback: 16,
    min: 2,
    max: 500,
    whole: true,
  }),
  'database.statement_timeout': duration({
    about: 'Longest time that one database statement of a request may take',
    fallback: 15,
  }),
  's3.endpoint': list({
    about:
      'S3 servers that keep the objects, or gateways to one; default: files in the home directory',
    fallback: [],
    check: originOf,
  }),
  's3.bucket': text({
    about: 'Bucket of the S3 server, for imgstore alone',
    fallback: undefined,
    shape: 'name',
    asked: 's3.endpoint',
    check: (value) =>
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)
        ? undefined
        : 'a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens',
  }),
  's3.region': text({
    about: 'Region of the bucket, as the S3 server calls it',
    fallback: 'us-east-1',
    shape: 'name',
  }),
  's3.access_key': text({
    about: 'Access key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
    asked: 's3.endpoint',
  }),
  's3.secret_key': text({
    about: 'Secret key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
    asked: 's3.endpoint',
  }),
  's3.public_endpoint': text({
    about:
      'Where clients reach the S3 server, for signed addresses; default: the first s3.endpoint',
    fallback: undefined,
    shape: 'url',
    check: originOf,
  }),
  's3.delivery': choice({
    about: 'Who serves signed addresses: the S3 server itself, or imgstore on its behalf',
    fallback: 'direct',
    choices: ['direct', 'proxy'],
  }),
  'imaging.threads': number({
    about: 'Pictures worked on at the same time; default: the number of cores',
    fallback: availableParallelism,
    min: 1,
    max: 256,
    whole: true,
  }),
  'imaging.queue_limit': number({
    about:
      'Pictures that may wait for a thread; then one of the user who has most waiting is answered 503',
    fallback: 256,
    min: 1,
    max: 100_000,
    whole: true,
  }),
  'imaging.timeout': duration({
    about:
      'Processor time that one picture may take before it is given up, however busy the machine',
    fallback: 30,
  }),
  'imaging.memory_mb': number({
    about:
      'Memory for pictures that are worked on, in megabytes; large ones wait until there is room; ' +
      "default: a quarter of the machine's or container's, at least 1,024",
    fallback: imagingMemoryMb,
    min: 256,
    max: 16_777_216,
    whole: true,
  }),
  'limits.max_connections': number({
    about:
      'Connections that one node holds open at most; default: 4096, or what its open files allow',
    fallback: usualConnections,
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  'limits.max_upload_mb': number({
    about: 'Largest file that an upload may bring, in megabytes of 1,048,576 bytes',
    fallback: 50,
    min: 0.001,
    max: 100_000,
  }),
  'limits.open_uploads_per_user': number({
    about: 'Uploads of one user that one node works on at the same time; more of them wait',
    fallback: 16,
    min: 1,
    max: 10_000,
    whole: true,
  }),
  'limits.min_free_disk_mb': number({
    about: 'Free space at which uploads stop, in megabytes; default: 512, or 5 % of a smaller disk',
    fallback: undefined,
    min: 0,
    max: 1_000_000_000,
  }),
  'limits.max_megapixels': number({
    about: 'Largest picture that is accepted, in millions of pixels',
    fallback: 100,
    min: 0.001,
    max: 10_000,
  }),
  'limits.default_user_storage_mb': number({
    about: 'Storage that a new user may use, in megabytes',
    fallback: 10_240,
    min: 0.000001,
    max: 1_000_000_000,
  }),
  'limits.max_user_storage_mb': number({
    about: 'Most storage that a user may take by the API, in megabytes',
    fallback: undefined,
    min: 0.000001,
    max: 1_000_000_000,
  }),
  'limits.max_memos': number({
    about: 'Memos that one image may have',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  'limits.max_customs': number({
    about: 'Customs (keys and values) that one image may have',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  'limits.max_text_mb': number({
    about: 'Text that the memos and customs of one image may hold together, in megabytes',
    fallback: 1,
    min: 0.001,
    max: 1000,
  }),
  'rate_limit.per_token': number({
    about: 'Requests per minute that one token may make of one node; default: no limit',
    fallback: undefined,
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  'rate_limit.failed_auth': number({
    about:
      'Requests per minute of one address that one node answers 401, then 429; default: no limit',
    fallback: undefined,
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  'trash.retention_days': number({
    about: 'Days that images and folders stay in the trash before they are deleted; 0 for ever',
    fallback: 30,
    min: 0,
    max: 36_500,
    whole: true,
  }),
  'tokens.admin_ttl': duration({ about: 'Lifetime of admin access tokens', fallback: 12 * 3600 }),
  'tokens.platform_ttl': duration({
    about: 'Lifetime of platform access tokens',
    fallback: 90 * 86_400,
  }),
  'tokens.user_ttl': duration({ about: 'Lifetime of user access tokens', fallback: 24 * 3600 }),
  'tokens.refresh_ttl': duration({ about: 'Lifetime of refresh tokens', fallback: 180 * 86_400 }),
  'log.level': choice({
    about: 'What is logged at least',
    fallback: 'info',
    choices: ['error', 'warn', 'info', 'debug'],
  }),
  'log.format': choice({
    about: 'Log lines for people or for collectors',
    fallback: 'text',
    choices: ['text', 'json'],
  }),
};

type Options = typeof options;
export type OptionKey = keyof Options;

/** The effective value of every setting, by key. */
export type Config = { readonly [K in OptionKey]: ReturnType<Options[K]['read']> };

export const optionKeys = Object.keys(options) as OptionKey[];

/** `database.url` → `--database-url` */
export const flagOf = (key: OptionKey): string => `--${key.replaceAll(/[._]/g, '-')}`;

const isFlagless = (key: OptionKey): boolean =>
  'flagless' in options[key] && !!options[key].flagless;

/** The settings that have a flag. */
export const flaggedKeys = optionKeys.filter((key) => !isFlagless(key));

/** `database.url` → `IMGSTORE_DATABASE_URL` */
export const variableOf = (key: OptionKey): string =>
  `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`;
