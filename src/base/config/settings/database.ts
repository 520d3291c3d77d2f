import { duration, list, postgresUrl, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const database = {
  'database.url': setting(postgresUrl, {
    about: 'PostgreSQL database with PostGIS; default: a private cluster in the home directory',
    fallback: undefined,
    secret: true,
  }),
  'database.replicas': setting(list(postgresUrl), {
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
