import { wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const jobs = {
  'trash.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that images and folders stay in the trash before they are deleted; 0 keeps them forever',
    fallback: 30,
  }),
  'upload_sets.retention_days': setting(wholeNumber(0, 36_500), {
    about: 'Days after which an upload set that is still open is forgotten; 0 keeps it forever',
    fallback: 30,
  }),
};
