import { availableParallelism } from 'node:os';
import { defaultImagingMemoryMb } from '../../os/machine-memory.js';
import { duration, oneOf, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const imaging = {
  'imaging.threads': setting(wholeNumber(1, 256), {
    about: 'Images processed in parallel; default: the number of cores',
    fallback: availableParallelism,
  }),
  'imaging.queue_limit': setting(wholeNumber(1, 100_000), {
    about:
      'Images that may wait to be processed; beyond that, the user with the most waiting gets a 503',
    fallback: 256,
  }),
  'imaging.timeout': setting(duration, {
    about: 'CPU time allowed for one image, regardless of how busy the machine is',
    fallback: '30s',
  }),
  'imaging.heif_decoder': setting(oneOf('auto', 'bundled'), {
    about:
      'Decoder of HEIC images; auto: FFmpeg if this machine has it, which is several times ' +
      'faster; bundled: always the one included with imgstore',
    fallback: 'auto',
  }),
  'imaging.sandbox': setting(oneOf('auto', 'require', 'off'), {
    about:
      'Whether images are decoded in bubblewrap; auto: if it is installed and works here; ' +
      'require: the service does not start otherwise; off: never',
    fallback: 'auto',
  }),
  'imaging.memory_mb': setting(wholeNumber(256, 16_777_216), {
    about:
      'Memory for images being processed, in megabytes; large images wait until there is enough; ' +
      "default: a quarter of the machine's or container's, at least 1,024",
    fallback: defaultImagingMemoryMb,
  }),
};
