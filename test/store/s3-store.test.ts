import { describeStore } from './conformance.js';
import { makeS3Store, makeS3StoreBelow } from './s3-harness.js';

describeStore('S3 store', makeS3Store);
describeStore('S3 store below a path and a prefix', makeS3StoreBelow);
