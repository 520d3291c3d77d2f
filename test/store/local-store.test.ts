import { makeLocalStore } from '../../testkit/store/local-harness.js';
import { describeStore } from './conformance.js';

describeStore('local store', () => makeLocalStore());
