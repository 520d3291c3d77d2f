import { availableParallelism } from 'node:os';
import {
  duration,
  flag,
  list,
  pattern,
  webOrigin,
  text,
  timeZone,
  webUrl,
  wholeNumber,
} from '../schemas.js';
import { setting } from '../setting.js';
import { machineZone } from '../time-zone.js';

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
  public_url: setting(webUrl, {
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
      /^\/(?!(?:files|api|docs|console)\/)[\w.-]+\/$/i,
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
};
