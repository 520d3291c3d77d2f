import { text, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

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
