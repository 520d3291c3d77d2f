import { makeLocalStore } from './local-harness.js';
import { describeStore } from './conformance.js';

describeStore('local store', () => makeLocalStore());
