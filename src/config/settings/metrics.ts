import { text, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const metrics = {
  'metrics.port': setting(wholeNumber(0, 65_535), {
    about:
      'TCP port of its own on which /metrics answers Prometheus; 0 picks a free one; default: no metrics',
    fallback: undefined,
  }),
  'metrics.host': setting(text('address'), {
    about:
      'Address of /metrics; beyond this machine, set metrics.token or keep others off its port',
    fallback: '127.0.0.1',
  }),
  'metrics.token': setting(text(), {
    about: 'What Prometheus has to send as "Authorization: Bearer …"; default: nothing',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
};
