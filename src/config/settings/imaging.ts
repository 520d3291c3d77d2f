import { availableParallelism } from 'node:os';
import { imagingMemoryMb } from '../../os/machine-memory.js';
import { duration, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const imaging = {
  'imaging.threads': setting(wholeNumber(1, 256), {
    about: 'Pictures worked on at the same time; default: the number of cores',
    fallback: availableParallelism,
  }),
  'imaging.queue_limit': setting(wholeNumber(1, 100_000), {
    about:
      'Pictures that may wait for a thread; then one of the user who has most waiting is answered 503',
    fallback: 256,
  }),
  'imaging.timeout': setting(duration, {
    about:
      'Processor time that one picture may take before it is given up, however busy the machine',
    fallback: '30s',
  }),
  'imaging.memory_mb': setting(wholeNumber(256, 16_777_216), {
    about:
      'Memory for pictures that are worked on, in megabytes; large ones wait until there is room; ' +
      "default: a quarter of the machine's or container's, at least 1,024",
    fallback: imagingMemoryMb,
  }),
};
