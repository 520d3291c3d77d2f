import { describeConsole } from './harness.js';
import { testResuming } from './resuming.js';

// Apart from the other tests of the console: they take minutes by themselves.
describeConsole('uploads of the console that resume', testResuming);
