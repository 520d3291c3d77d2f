import { Option } from 'commander';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';

export const command: CommandDetails = {
  options: [new Option('--init', 'Run init first, for services that start unattended')],
  settings: ['host', 'port', 'workers', 'public_url', 'trust_proxy', 'log.level', 'log.format'],
  examples: ['serve', 'serve --host 0.0.0.0 --port 80 --log-level warn'],
  run: serve,
};

async function serve(given: Context, { init }: { init?: boolean }): Promise<void> {
  const { serveUntilSignal } = await import('../serve-until-signal.js');
  const context = { ...given, ui: given.ui.logging() };
  if (init) {
    // Without --init, the service loads its modules while the database starts.
    const { initializeHome } = await import('./init.js');
    await initializeHome(context);
  }
  await serveUntilSignal(context, async ({ url }) => ({
    document: { address: url },
    text: `imgstore is listening at ${url}`,
  }));
}
