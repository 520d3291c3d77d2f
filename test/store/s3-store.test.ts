import { longForm } from '../../testkit/long-form.js';
import { describeStore } from './conformance.js';
import { makeS3Store, makeS3StoreBelow } from './s3-harness.js';

// Lists and bodies go through the same code at any path: the one with more to get wrong has them all.
describeStore('S3 store', makeS3Store, { large: false, many: false });
describeStore('S3 store below a path and a prefix', makeS3StoreBelow, { many: longForm });
