import { endpointUrl, list, oneOf, pattern, text } from '../schemas.js';
import { setting } from '../setting.js';

export const s3 = {
  's3.endpoint': setting(list(endpointUrl), {
    about:
      'S3 servers for the objects, or gateways to one, including their path if any; default: files in the home directory',
    fallback: [],
  }),
  's3.bucket': setting(
    pattern(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'a bucket name: 3 to 63 lowercase letters, digits, dots, and hyphens',
      'name',
    ),
    {
      about: 'S3 bucket, used by imgstore alone unless s3.prefix is set',
      fallback: undefined,
    },
  ),
  's3.prefix': setting(
    pattern(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'a path of names, such as imgstore/main', 'path'),
    {
      about:
        'Prefix of all keys in the bucket, so that others can use the rest of it; default: none',
      fallback: undefined,
    },
  ),
  's3.region': setting(text('name'), {
    about: 'Region of the bucket, as the S3 server names it',
    fallback: 'us-east-1',
  }),
  's3.credentials': setting(oneOf('keys', 'instance'), {
    about:
      'Where the keys come from: s3.access_key and s3.secret_key (keys), or the role of this machine, container, or service account in AWS (instance), which needs s3.delivery proxy',
    fallback: 'keys',
  }),
  's3.access_key': setting(text(), {
    about: 'Access key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  's3.secret_key': setting(text(), {
    about: 'Secret key of the S3 server',
    fallback: undefined,
    secret: true,
    flagless: true,
  }),
  's3.public_endpoint': setting(endpointUrl, {
    about: 'Public URL of the S3 server, used in signed URLs; default: the first s3.endpoint',
    fallback: undefined,
  }),
  's3.delivery': setting(oneOf('direct', 'proxy'), {
    about:
      'Where signed URLs point: to the S3 server (direct), or to imgstore on its behalf (proxy)',
    fallback: 'direct',
  }),
};
