import { costlyStructures } from '../../testkit/bombs/structures.js';
import { Linker } from '../../testkit/links.js';
import { Tally } from '../../testkit/tally.js';
import { TusClient } from '../../testkit/tus.js';
import type { Attack } from './attack.js';

const accounts = 10;
const links = 4;
const filesAtOnce = 40;

/**
 * Ten users, and visitors of four links that ask for pictures, upload files whose structure would
 * take long to read, forty at a time; another user uploads small images.
 */
export const costlyFiles: Attack = {
  name: '8 costly structures',
  rhythm: { pauseMs: 100, uploadEach: 1 },
  seconds: 45,
  prepare: async (target) => {
    const { client } = target;
    const platform = await target.world.platform();
    const users = await Promise.all(Array.from({ length: accounts }, () => platform.user()));
    const visitors = await Promise.all(
      users.slice(0, links).map(async (user) => {
        const { id: folder_id } = await user.folder('asked');
        const { at } = await new Linker(client, user).create({ kind: 'request', folder_id });
        return TusClient.ofLink(client.base, at);
      }),
    );
    const answers = new Tally();
    const note = (said: string | number): void => answers.note(String(said));
    let n = 0;
    const upload = async (worker: number, signal: AbortSignal): Promise<void> => {
      const [, file] = costlyStructures[(n += 1) % costlyStructures.length] ?? [];
      const [user, visitor] = [users[worker], visitors[worker - accounts]];
      if (!file) return;
      if (visitor) {
        const begun = await visitor.create(file.length, {});
        const at = new URL(String(begun.headers.location), client.base).pathname;
        const { status, code } = await visitor.patch(at, 0, file);
        note(`link: ${code ?? status}`);
      } else if (user) {
        const answer = await user.tryUpload({}, file, signal);
        note(answer.error?.code ?? answer.status);
      }
    };
    return async (signal) => {
      const callers = accounts + links;
      while (!signal.aborted) {
        const wave = Array.from({ length: filesAtOnce }, (_, i) => upload(i % callers, signal));
        for (const { status } of await Promise.allSettled(wave)) {
          if (status === 'rejected') note('none');
        }
      }
      return `responses to the costly ones: ${answers.toString()}`;
    };
  },
};
