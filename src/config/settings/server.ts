import { duration, list, webOrigin, text, timeZone, webUrl, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';
import { machineZone } from '../time-zone.js';

export const server = {
  host: setting(text('address'), {
    about: 'Address that the API listens on',
    fallback: '127.0.0.1',
  }),
  port: setting(wholeNumber(0, 65_535), {
    about: 'TCP port of the API; 0 takes a free one',
    fallback: 8080,
    asked: true,
  }),
  public_url: setting(webUrl, {
    about:
      'Address at which clients reach the API, for signed addresses; default: as each request says',
    fallback: undefined,
  }),
  trust_proxy: setting(wholeNumber(0, 10), {
    about: 'Reverse proxies in front, whose X-Forwarded-* headers are believed',
    fallback: 0,
  }),
  timezone: setting(timeZone, {
    about:
      "Time zone of all times in requests and answers; default: the machine's, or UTC if it has no region",
    fallback: machineZone,
  }),
  signed_url_ttl: setting(duration, {
    about: 'How long a signed address is valid, at least',
    fallback: '1h',
  }),
  'cors.origins': setting(list(webOrigin), {
    about: 'Web origins that may call the API from a browser; * for all',
    fallback: [],
  }),
};
