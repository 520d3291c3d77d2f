import { oneOf } from '../schemas.js';
import { setting } from '../setting.js';

export const log = {
  'log.level': setting(oneOf('error', 'warn', 'info', 'debug'), {
    about: 'What is logged at least',
    fallback: 'info',
  }),
  'log.format': setting(oneOf('text', 'json'), {
    about: 'Log lines for people or for collectors',
    fallback: 'text',
  }),
};
