import { duration, list, postgresUrl, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const database = {
  'database.url': setting(postgresUrl, {
    about: 'PostgreSQL with PostGIS to use; default: a private cluster in the home directory',
    fallback: undefined,
    secret: true,
    asked: true,
  }),
  'database.replicas': setting(list(postgresUrl), {
    about: 'Standby servers of the database, which lists and statistics are read from; their URLs',
    fallback: [],
    secret: true,
    flagless: true,
  }),
  'database.pool_size': setting(wholeNumber(2, 500), {
    about: 'Database connections that one node holds at most',
    fallback: 16,
  }),
  'database.statement_timeout': setting(duration, {
    about: 'Longest time that one database statement of a request may take',
    fallback: '15s',
  }),
};
