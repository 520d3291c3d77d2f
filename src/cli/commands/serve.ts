import type { Command } from 'commander';
import { runs } from '../context.js';
import { serveUntilSignal } from '../serving.js';
import { initialiseHome } from './init.js';

export function registerServe(program: Command): void {
  runs<{ init?: boolean }>(
    program
      .command('serve')
      .description('run the API, the imaging process and the scheduled jobs')
      .option('--init', 'init first, as a service does that starts by itself'),
    async (context, { init }) => {
      if (init) await initialiseHome(context, { tell: false });
      await serveUntilSignal(context, async ({ address }) => ({
        document: { address },
        text: `imgstore serves at ${address}`,
      }));
    },
  );
}
