import { usualConnections } from '../../os/descriptors.js';
import { number, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const limits = {
  'limits.max_connections': setting(wholeNumber(1, 1_000_000), {
    about:
      'Connections that one node holds open at most; default: 4096, or what its open files allow',
    fallback: usualConnections,
  }),
  'limits.max_upload_mb': setting(number(0.001, 100_000), {
    about: 'Largest file that an upload may bring, in megabytes of 1,048,576 bytes',
    fallback: 50,
  }),
  'limits.open_uploads_per_user': setting(wholeNumber(1, 10_000), {
    about: 'Uploads of one user that one node works on at the same time; more of them wait',
    fallback: 16,
  }),
  'limits.min_free_disk_mb': setting(number(0, 1_000_000_000), {
    about: 'Free space at which uploads stop, in megabytes; default: 512, or 5 % of a smaller disk',
    fallback: undefined,
  }),
  'limits.max_megapixels': setting(number(0.001, 10_000), {
    about: 'Largest picture that is accepted, in millions of pixels',
    fallback: 100,
  }),
  'limits.default_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Storage that a new user may use, in megabytes',
    fallback: 10_240,
  }),
  'limits.max_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Most storage that a user may take by the API, in megabytes',
    fallback: undefined,
  }),
  'limits.max_memos': setting(wholeNumber(1, 1_000_000), {
    about: 'Memos that one image may have',
    fallback: 1000,
  }),
  'limits.max_customs': setting(wholeNumber(1, 1_000_000), {
    about: 'Customs (keys and values) that one image may have',
    fallback: 1000,
  }),
  'limits.max_text_mb': setting(number(0.001, 1000), {
    about: 'Text that the memos and customs of one image may hold together, in megabytes',
    fallback: 1,
  }),
  'rate_limit.per_token': setting(wholeNumber(1, 1_000_000), {
    about: 'Requests per minute that one token may make of one node; default: no limit',
    fallback: undefined,
  }),
  'rate_limit.failed_auth': setting(wholeNumber(1, 1_000_000), {
    about:
      'Requests per minute of one address that one node answers 401, then 429; default: no limit',
    fallback: undefined,
  }),
};
