import { availableParallelism } from 'node:os';
import { defaultMaxConnections } from '../../os/machine.js';
import { logLevels } from '../../telemetry/context.js';
import {
  claimOfPlatform,
  claimValue,
  duration,
  issuerUrl,
  webUrl,
  flag,
  list,
  pattern,
  webOrigin,
  headerName,
  text,
  timeZone,
  endpointUrl,
  wholeNumber,
  machineZone,
  durationOrNone,
  number,
  oneOf,
  tileUrl,
  network,
  setting,
} from '../setting.js';

export const webhooks = {
  'webhooks.allow_http': setting(flag, {
    about: 'Whether webhooks may be sent to http:// URLs, unencrypted',
    fallback: false,
  }),
  'webhooks.allow_networks': setting(list(network), {
    about:
      'Private networks that webhooks may be sent to, such as 10.1.0.0/16; all other loopback, private and link-local IPs are refused',
    fallback: [],
  }),
};

export const identity = {
  'identity.allow_http': setting(flag, {
    about:
      "Whether key sets of platforms' identity providers may be read from http:// URLs, unencrypted",
    fallback: false,
  }),
  'identity.allow_networks': setting(list(network), {
    about:
      'Private networks that such key sets may be read from, such as 10.1.0.0/16; all other loopback, private and link-local IPs are refused',
    fallback: [],
  }),
};

export const custody = {
  'custody.timestamp_url': setting(webUrl, {
    about:
      "URL of a time-stamping service (RFC 3161) that is sent the hashes of the logs' checkpoints; default: none",
    fallback: undefined,
  }),
  'custody.timestamp_ca': setting(text('file'), {
    about: "File with the certificates (PEM) that the service's have to lead to",
    fallback: '/etc/ssl/certs/ca-certificates.crt',
  }),
  'custody.allow_networks': setting(list(network), {
    about:
      'Private networks that the service may be in, such as 10.1.0.0/16; all other loopback, private and link-local IPs are refused',
    fallback: [],
  }),
};

export const links = {
  'links.max_days': setting(wholeNumber(1, 36_500), {
    about: 'Days for which a link for people without an account may be open at most',
    fallback: 365,
  }),
};

export const map = {
  'map.points_zoom': setting(wholeNumber(0, 22), {
    about:
      'Lowest zoom at which map tiles show single images, if a tile has at most 800; otherwise clusters',
    fallback: 14,
  }),
  'map.basemap': setting(tileUrl, {
    about:
      'URL of tiles with {z}, {x} and {y}, or of a PMTiles archive, shown below the images on maps of the console, whose owner learns where they are; default: country outlines, which need no other host',
    fallback: undefined,
  }),
  'map.attribution': setting(text(), {
    about: 'Attribution of the tiles of map.basemap, shown on maps as their license requires',
    fallback: undefined,
  }),
};

export const metrics = {
  'metrics.port': setting(wholeNumber(0, 65_535), {
    about:
      'Separate TCP port that serves /metrics to Prometheus; 0 picks a free one; default: no metrics',
    fallback: undefined,
  }),
  'metrics.host': setting(text('host'), {
    about:
      'Host name or IP that /metrics listens on; beyond this machine, set metrics.token or restrict access to the port',
    fallback: '127.0.0.1',
  }),
  'metrics.token': setting(text(), {
    about: 'Token that Prometheus must send as "Authorization: Bearer …"; default: none',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
};

/** The log goes to stderr. */
const defaultFormat = (): string => (process.stderr.isTTY ? 'text' : 'json');

export const log = {
  'log.level': setting(oneOf(...logLevels), {
    about: 'Lowest level that is logged',
    fallback: 'info',
  }),
  'log.format': setting(oneOf('text', 'json'), {
    about:
      'Log format: text for people, json for log collectors; default: text on a terminal, otherwise json',
    fallback: defaultFormat,
  }),
};

export const limits = {
  'limits.max_connections': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum open connections per node; default: 4096, or what the open-file limit allows',
    fallback: defaultMaxConnections,
    retires:
      'connections are limited by open files alone (LimitNOFILE of the unit, ulimit -n), to at most 4096',
  }),
  'limits.max_upload_mb': setting(number(0.001, 100_000), {
    about: 'Maximum size of an uploaded file, in megabytes of 1,048,576 bytes',
    fallback: 50,
  }),
  'limits.open_uploads_per_user': setting(wholeNumber(1, 10_000), {
    about: 'Concurrent uploads per user and node; further ones wait',
    fallback: 16,
    retires: '16 are open at the same time, others wait',
  }),
  'limits.min_free_disk_mb': setting(number(0, 1_000_000_000), {
    about:
      'Free space below which uploads stop, in megabytes; default: 512, or 5% of a smaller disk',
    fallback: undefined,
  }),
  'limits.max_megapixels': setting(number(0.001, 10_000), {
    about: 'Maximum image size, in millions of pixels',
    fallback: 100,
  }),
  'limits.default_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Default storage quota of a new user, in megabytes',
    fallback: 10_240,
  }),
  'limits.max_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Highest storage quota that can be set through the API, in megabytes',
    fallback: undefined,
  }),
  'limits.max_images': setting(wholeNumber(1, 1_000_000_000), {
    about:
      'Maximum number of images of one user, trash included: each takes some 20 KB besides its file',
    fallback: 5_000_000,
  }),
  'limits.max_folders': setting(wholeNumber(1, 100_000_000), {
    about: 'Maximum number of folders of one user, trash included',
    fallback: 100_000,
  }),
  'limits.max_memos': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum memos per image',
    fallback: 1000,
    retires: '1,000 memos of an image, and limits.max_text_mb, apply',
  }),
  'limits.max_customs': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum customs (key/value pairs) per image',
    fallback: 1000,
    retires: '1,000 customs of an image, and limits.max_text_mb, apply',
  }),
  'limits.max_text_mb': setting(number(0.001, 1000), {
    about: 'Maximum total text of the memos and customs of one image, in megabytes',
    fallback: 1,
  }),
  'limits.max_scratch_mb': setting(wholeNumber(1, 1_000_000), {
    about:
      'Maximum space that the downloads in progress of one user or platform take on disk (ZIP archives, exports, and snapshots, the last two compressed), in megabytes; four times as much in total',
    fallback: 512,
    retires: '512 MB apply',
  }),
  'rate_limit.per_token': setting(wholeNumber(1, 1_000_000), {
    about: 'Requests per minute allowed per token and node; default: no limit',
    fallback: undefined,
  }),
  'rate_limit.failed_auth': setting(wholeNumber(1, 1_000_000), {
    about:
      'Requests without a token of this installation (401 unauthorized) per minute allowed per client IP and node, then 429; default: no limit',
    fallback: undefined,
  }),
};

export const tokens = {
  'tokens.admin_ttl': setting(duration, {
    about: 'Lifetime of admin access tokens',
    fallback: '12h',
  }),
  'tokens.platform_ttl': setting(duration, {
    about: 'Lifetime of platform access tokens',
    fallback: '90d',
  }),
  'tokens.user_ttl': setting(duration, {
    about: 'Lifetime of user access tokens',
    fallback: '24h',
  }),
  'tokens.refresh_ttl': setting(duration, {
    about: 'Lifetime of refresh tokens',
    fallback: '180d',
  }),
  'tokens.refresh_grace': setting(durationOrNone, {
    about:
      'How long after its use a refresh token may be sent again without an Idempotency-Key, since answers get lost; 0: never',
    fallback: '60s',
  }),
};

export const oidc = {
  'oidc.issuer': setting(issuerUrl, {
    about:
      'OpenID Connect provider at which people sign in to the console: its issuer, as its discovery document says; needs oidc.client_id and public_url; default: none',
    fallback: undefined,
  }),
  'oidc.client_id': setting(text('id'), {
    about: 'What the provider calls this client',
    fallback: undefined,
  }),
  'oidc.client_secret_file': setting(text('file'), {
    about: 'File with the secret that the provider gave this client; default: none',
    fallback: undefined,
  }),
  'oidc.admins': setting(list(claimValue), {
    about: 'Who is an administrator: CLAIM=VALUE, such as groups=imgstore-admins',
    fallback: [],
  }),
  'oidc.platforms': setting(list(claimOfPlatform), {
    about: 'Who may sign in to which platform: CLAIM=VALUE:PLATFORM_ID, each',
    fallback: [],
  }),
};

/** Imaging and the database need cores of their own. */
const defaultWorkers = (): number => Math.max(1, availableParallelism() - 2);

export const server = {
  host: setting(text('host'), {
    about: 'Host name or IP that the API listens on',
    fallback: '127.0.0.1',
  }),
  port: setting(wholeNumber(0, 65_535), {
    about: 'TCP port of the API; 0 picks a free one',
    fallback: 8080,
  }),
  workers: setting(wholeNumber(1, 256), {
    about: 'Processes that serve HTTP; default: all cores but two, at least one',
    fallback: defaultWorkers,
  }),
  public_url: setting(endpointUrl, {
    about: 'Public base URL of the API, used in signed URLs; default: taken from each request',
    fallback: undefined,
  }),
  trust_proxy: setting(wholeNumber(0, 10), {
    about:
      'Number of reverse proxies in front whose X-Forwarded-* headers (For, Host, Port, Prefix, Proto) are trusted',
    fallback: 0,
  }),
  keep_alive: setting(duration, {
    about:
      'How long an idle connection is kept open; must be longer than the proxy in front keeps its own (usually 60s)',
    fallback: '65s',
  }),
  timezone: setting(timeZone, {
    about:
      "Time zone of all times in requests and responses; default: the machine's, or UTC if it has no region",
    fallback: machineZone,
  }),
  signed_url_ttl: setting(duration, {
    about: 'Minimum lifetime of signed URLs',
    fallback: '1h',
  }),
  'files.accel': setting(
    pattern(
      /^\/(?!(?:files|api|docs|console|check|s)\/)[\w.-]+\/$/i,
      'a path that nothing else uses, such as /_imgstore/',
      'path',
    ),
    {
      about:
        'Internal nginx location that sends files of the local store (X-Accel-Redirect), as proxy-config prints it; needs trust_proxy; default: off',
      fallback: undefined,
    },
  ),
  'console.enabled': setting(flag, {
    about: 'Whether the web console is served at /console/',
    fallback: true,
  }),
  'cors.origins': setting(list(webOrigin), {
    about: 'Web origins allowed to call the API from a browser; * for all',
    fallback: [],
  }),
  'cors.headers': setting(list(headerName), {
    about: 'Further headers that such requests may have, for libraries that add their own',
    fallback: [],
  }),
};
