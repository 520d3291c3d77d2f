import { endpointUrl, list, text } from '../schemas.js';
import { setting } from '../setting.js';

export const backup = {
  'backup.s3_endpoint': setting(list(endpointUrl), {
    about: 'S3 servers for backups to s3://BUCKET; default: s3.endpoint, with its region and keys',
    fallback: [],
  }),
  'backup.s3_region': setting(text('name'), {
    about: 'Region of the backup buckets',
    fallback: 'us-east-1',
  }),
  'backup.s3_access_key': setting(text(), {
    about: 'Access key for the S3 server of backups',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  'backup.s3_secret_key': setting(text(), {
    about: 'Secret key for the S3 server of backups',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  'backup.passphrase': setting(text(), {
    about:
      'Passphrase that encrypts the secrets in backups made with --with-secrets; prompted for if not set',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
};
