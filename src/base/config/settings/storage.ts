import { availableParallelism } from 'node:os';
import { defaultImagingMemoryMb } from '../../os/machine.js';
import {
  duration,
  list,
  postgresUrl,
  replicaUrl,
  wholeNumber,
  endpointUrl,
  oneOf,
  pattern,
  text,
  byteSize,
  number,
  setting,
} from '../setting.js';

export const jobs = {
  'trash.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that images and folders stay in the trash before they are deleted; 0 keeps them forever',
    fallback: 30,
  }),
  'store.deletion_delay_hours': setting(wholeNumber(0, 8_760), {
    about:
      'Hours that the files of deleted images stay in the store, so that backups made meanwhile are complete; at most one quota of each user and platform, and less while the disk is full',
    fallback: 48,
  }),
  'changes.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that entries of the change feed are kept; clients that were away for longer begin with a snapshot; 0 keeps them forever',
    fallback: 90,
  }),
  'changes.max_per_user': setting(wholeNumber(1_000, 1_000_000_000), {
    about:
      'Entries of the change feed that are kept of one user, checked hourly; the oldest are deleted early',
    fallback: 1_000_000,
    retires: '1,000,000 entries of a user are kept, and changes.retention_days applies',
  }),
  'audit.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that acts of administrators are kept in the audit; 0 keeps them forever; for changes of records, changes.retention_days applies',
    fallback: 365,
  }),
  'idempotency.retention_hours': setting(wholeNumber(1, 8_760), {
    about: 'Hours for which a repeat of a request with the same Idempotency-Key is recognized',
    fallback: 72,
  }),
  'upload_sets.retention_days': setting(wholeNumber(0, 36_500), {
    about: 'Days after which an open upload set is deleted; 0 keeps it forever',
    fallback: 30,
  }),
  'uploads.resumable_hours': setting(wholeNumber(1, 8_760), {
    about: 'Hours after its last byte at which an unfinished upload that could resume is deleted',
    fallback: 24,
  }),
  'uploads.max_open_per_user': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum unfinished uploads that could resume, per user',
    fallback: 1_000,
    retires: '1,000 apply, and the quota',
  }),
  'idempotency.max_per_owner': setting(wholeNumber(1, 1_000_000_000), {
    about:
      'Maximum answers to requests with an Idempotency-Key that are kept per user or platform; the oldest are forgotten',
    fallback: 1_000_000,
    retires: '1,000,000 answers are kept, and idempotency.retention_hours applies',
  }),
  'idempotency.max_mb_per_owner': setting(number(0.001, 1_000_000), {
    about: 'Maximum megabytes of these answers per user or platform; the oldest are forgotten',
    fallback: 256,
    retires: '256 MB of answers are kept, and idempotency.retention_hours applies',
  }),
  'upload_sets.max_per_user': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum upload sets per user, open or complete',
    fallback: 10_000,
    retires: '10,000 sets apply',
  }),
  'upload_sets.max_files_per_user': setting(wholeNumber(1, 1_000_000_000), {
    about: 'Maximum files expected by all upload sets of a user together',
    fallback: 1_000_000,
    retires: '1,000,000 files apply',
  }),
  'verify.bytes_per_night': setting(byteSize, {
    about:
      'Amount of stored files that one node reads each night, slowly, to check their hashes, and as much of older ones for what their cameras knew; 0 reads nothing',
    fallback: '20GB',
  }),
  'metadata.bytes_per_night': setting(byteSize, {
    about:
      'Amount of files from before an upgrade that one node reads each night, slowly, for what their cameras knew; 0 reads nothing',
    fallback: undefined,
    retires: 'verify.bytes_per_night applies to both',
  }),
};

export const backup = {
  'backup.to': setting(text('dir'), {
    about: 'Where the service makes a backup every day: a directory or s3://BUCKET/PREFIX',
    fallback: undefined,
  }),
  'backup.schedule': setting(
    pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 02:30', 'time'),
    { about: 'When it does so, in the time zone of the service', fallback: '02:30' },
  ),
  'backup.s3_endpoint': setting(list(endpointUrl), {
    about: 'S3 servers for backups to s3://BUCKET; default: s3.endpoint, with its region and keys',
    fallback: [],
  }),
  'backup.s3_region': setting(text('name'), {
    about: 'Region of the backup buckets',
    fallback: 'us-east-1',
  }),
  'backup.s3_access_key': setting(text(), {
    about: 'Access key for the S3 server of backups',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  'backup.s3_secret_key': setting(text(), {
    about: 'Secret key for the S3 server of backups',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  'backup.passphrase': setting(text(), {
    about:
      'Passphrase that encrypts the secrets in backups made with --with-secrets; prompted for if not set',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
};

export const imaging = {
  'imaging.threads': setting(wholeNumber(1, 256), {
    about: 'Images processed in parallel; default: the number of cores',
    fallback: availableParallelism,
  }),
  'imaging.queue_limit': setting(wholeNumber(1, 100_000), {
    about:
      'Images that may wait to be processed; beyond that, the user with the most waiting gets a 503',
    fallback: 256,
    retires: '256 images may wait',
  }),
  'imaging.timeout': setting(duration, {
    about: 'CPU time allowed for one image, regardless of how busy the machine is',
    fallback: '30s',
  }),
  'imaging.heif_decoder': setting(oneOf('auto', 'bundled'), {
    about:
      'Decoder of HEIC images; auto: FFmpeg if this machine has it, which is several times ' +
      'faster; bundled: always the one included with imgstore',
    fallback: 'auto',
    retires: 'FFmpeg decodes if it is installed',
  }),
  'imaging.sandbox': setting(oneOf('auto', 'require', 'off'), {
    about:
      'Whether images are decoded in bubblewrap; auto: if it is installed and works here; ' +
      'require: the service does not start otherwise; off: never',
    fallback: 'auto',
  }),
  'imaging.memory_mb': setting(wholeNumber(256, 16_777_216), {
    about:
      'Memory for images being processed, in megabytes; large images wait until there is enough; ' +
      "default: a quarter of the machine's or container's, at least 1,024",
    fallback: defaultImagingMemoryMb,
  }),
};

export const s3 = {
  's3.endpoint': setting(list(endpointUrl), {
    about:
      'S3 servers for the objects, or gateways to one, including their path if any; default: files in the home directory',
    fallback: [],
  }),
  's3.bucket': setting(
    pattern(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'a bucket name: 3 to 63 lowercase letters, digits, dots, and hyphens',
      'name',
    ),
    {
      about: 'S3 bucket, used by imgstore alone unless s3.prefix is set',
      fallback: undefined,
    },
  ),
  's3.prefix': setting(
    pattern(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'a path of names, such as imgstore/main', 'path'),
    {
      about:
        'Prefix of all keys in the bucket, so that others can use the rest of it; default: none',
      fallback: undefined,
    },
  ),
  's3.region': setting(text('name'), {
    about: 'Region of the bucket, as the S3 server names it',
    fallback: 'us-east-1',
  }),
  's3.credentials': setting(oneOf('keys', 'instance'), {
    about:
      'Where the keys come from: s3.access_key and s3.secret_key (keys), or the role of this machine, container, or service account in AWS (instance), which needs s3.delivery proxy',
    fallback: 'keys',
  }),
  's3.access_key': setting(text(), {
    about: 'Access key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  's3.secret_key': setting(text(), {
    about: 'Secret key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  's3.public_endpoint': setting(endpointUrl, {
    about: 'Public URL of the S3 server, used in signed URLs; default: the first s3.endpoint',
    fallback: undefined,
  }),
  's3.delivery': setting(oneOf('direct', 'proxy'), {
    about:
      'Where signed URLs point: to the S3 server (direct), or to imgstore on its behalf (proxy)',
    fallback: 'direct',
  }),
};

export const database = {
  'database.url': setting(postgresUrl, {
    about:
      'PostgreSQL database with PostGIS, on one host or on several of which one takes writes (docs/nodes.md); default: a private cluster in the home directory',
    fallback: undefined,
    secret: true,
  }),
  'database.replicas': setting(list(replicaUrl), {
    about: 'URLs of standby servers used to read lists and statistics',
    fallback: [],
    secret: true,
    flagless: true,
  }),
  'database.pool_size': setting(wholeNumber(2, 500), {
    about: 'Maximum database connections per node',
    fallback: 16,
  }),
  'database.statement_timeout': setting(duration, {
    about: 'Timeout for a single database statement of a request',
    fallback: '15s',
  }),
};
