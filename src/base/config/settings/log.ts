import { oneOf } from '../schemas.js';
import { logLevels } from '../../telemetry/follow-level.js';
import { setting } from '../setting.js';

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
