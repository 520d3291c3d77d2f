import type { Imaging } from '../src/imaging/port.js';
import { eventually } from './eventually.js';

/**
 * Holds up the making of whole pictures. @param fail what each try fails with, rather than wait.
 * @returns what happens meanwhile, and a way to go on.
 */
export function holdUp(imaging: Pick<Imaging, 'full'>, fail?: () => Error) {
  const make = imaging.full.bind(imaging);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let calls = 0;
  const full: Imaging['full'] = async (...args) => {
    calls += 1;
    if (fail) throw fail();
    await held;
    return make(...args);
  };
  imaging.full = full;
  return {
    reached: () => eventually('it is being made', async () => calls > 0),
    goOn: () => {
      imaging.full = make;
      goOn();
    },
  };
}
