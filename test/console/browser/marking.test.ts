import { describeConsole } from '../harness.js';
import { testMarking } from './marking.js';

// Apart from the other tests of the console: drawing and sending whole pictures takes long.
describeConsole('marking up pictures in the console', testMarking);
