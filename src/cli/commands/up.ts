import type { Context } from '../context.js';
import { supervise } from '../supervise.js';

/** A process of its own is the service; all that this one does is wait for it. */
export async function up(context: Context): Promise<void> {
  if (context.ui.onTerminal) await hushRequests(context);
  await supervise(context, 'up-service');
}

/** A line for each request would push away what was printed to begin with. */
async function hushRequests(context: Context): Promise<void> {
  const { sources } = await context.settings('nothing');
  // A variable, which the service inherits: flags would be written to config.yaml.
  if (sources['log.level'] === 'default') process.env.IMGSTORE_LOG_LEVEL = 'warn';
}
