import { defaultMaxConnections } from '../../os/descriptors.js';
import { number, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const limits = {
  'limits.max_connections': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum open connections per node; default: 4096, or what the open-file limit allows',
    fallback: defaultMaxConnections,
  }),
  'limits.max_upload_mb': setting(number(0.001, 100_000), {
    about: 'Maximum size of an uploaded file, in megabytes of 1,048,576 bytes',
    fallback: 50,
  }),
  'limits.open_uploads_per_user': setting(wholeNumber(1, 10_000), {
    about: 'Concurrent uploads per user and node; further ones wait',
    fallback: 16,
  }),
  'limits.min_free_disk_mb': setting(number(0, 1_000_000_000), {
    about:
      'Free space below which uploads stop, in megabytes; default: 512, or 5% of a smaller disk',
    fallback: undefined,
  }),
  'limits.max_megapixels': setting(number(0.001, 10_000), {
    about: 'Maximum image size, in millions of pixels',
    fallback: 100,
  }),
  'limits.default_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Default storage quota of a new user, in megabytes',
    fallback: 10_240,
  }),
  'limits.max_user_storage_mb': setting(number(0.000001, 1_000_000_000), {
    about: 'Highest storage quota that can be set through the API, in megabytes',
    fallback: undefined,
  }),
  'limits.max_images': setting(wholeNumber(1, 1_000_000_000), {
    about:
      'Maximum number of images of one user, trash included: each takes some 20 KB besides its file',
    fallback: 5_000_000,
  }),
  'limits.max_folders': setting(wholeNumber(1, 100_000_000), {
    about: 'Maximum number of folders of one user, trash included',
    fallback: 100_000,
  }),
  'limits.max_memos': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum memos per image',
    fallback: 1000,
  }),
  'limits.max_customs': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum customs (key/value pairs) per image',
    fallback: 1000,
  }),
  'limits.max_text_mb': setting(number(0.001, 1000), {
    about: 'Maximum total text of the memos and customs of one image, in megabytes',
    fallback: 1,
  }),
  'limits.max_scratch_mb': setting(wholeNumber(1, 1_000_000), {
    about:
      'Maximum space that the downloads in progress of one user or platform take on disk (ZIP archives, exports, and snapshots, the last two compressed), in megabytes; four times as much in total',
    fallback: 512,
  }),
  'rate_limit.per_token': setting(wholeNumber(1, 1_000_000), {
    about: 'Requests per minute allowed per token and node; default: no limit',
    fallback: undefined,
  }),
  'rate_limit.failed_auth': setting(wholeNumber(1, 1_000_000), {
    about:
      'Requests without a token of this installation (401 unauthorized) per minute allowed per client IP and node, then 429; default: no limit',
    fallback: undefined,
  }),
};
