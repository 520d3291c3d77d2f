import {
  avifOfGrid,
  avifOfGrids,
  pngOfSize,
  tiffOfDirectories,
  webpOfFrames,
} from '../../testkit/bombs.js';
import { Tally } from '../../testkit/tally.js';
import { runInParallel, type Attack } from './attack.js';

/** Four users upload small files that are expensive to decode; another user uploads small images. */
export const hostilePictures: Attack = {
  name: '3 hostile pictures',
  rhythm: { pauseMs: 100, uploadEach: 1 },
  seconds: 45,
  prepare: async (target) => {
    const bombs = [webpOfFrames(), avifOfGrids(), avifOfGrid(), tiffOfDirectories(), pngOfSize()];
    const platform = await target.world.platform();
    const users = await Promise.all(Array.from({ length: 4 }, () => platform.user()));
    let n = 0;
    const answers = new Tally();
    const upload = async (worker: number, signal: AbortSignal): Promise<void> => {
      const user = users[worker];
      const picture = bombs[(n += 1) % bombs.length];
      if (!user || !picture) return;
      const answer = await user.tryUpload({}, picture, signal).catch(() => undefined);
      answers.note(answer ? (answer.error?.code ?? String(answer.status)) : 'none');
    };
    return async (signal) => {
      await runInParallel(users.length, signal, (worker) => upload(worker, signal));
      return `responses to the hostile ones: ${answers.toString()}`;
    };
  },
};
