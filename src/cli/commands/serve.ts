import type { Command } from 'commander';
import { runs } from '../context.js';
import { serveUntilSignal } from '../serving.js';

export function registerServe(program: Command): void {
  runs(
    program.command('serve').description('run the API, the imaging process and the scheduled jobs'),
    async (context) => {
      await serveUntilSignal(context, async ({ address }) => ({
        document: { address },
        text: `imgstore serves at ${address}`,
      }));
    },
  );
}
