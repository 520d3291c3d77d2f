import { describeStore } from './conformance.js';
import { makeS3Store } from './s3-harness.js';

describeStore('S3 store', makeS3Store);
