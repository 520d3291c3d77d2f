import type { Context } from '../context.js';
import { supervise } from '../supervise.js';

/** The service runs in a child process; this one only supervises it. */
export async function up(context: Context): Promise<void> {
  if (context.ui.onTerminal) await hideRequests(context);
  await supervise(context, 'up-service');
}

/** A line for each request would scroll the greeting away. */
async function hideRequests(context: Context): Promise<void> {
  const { sources } = await context.settings('nothing');
  // A variable, which the service inherits: flags would be written to config.yaml.
  if (sources['log.level'] === 'default') process.env.IMGSTORE_LOG_LEVEL = 'warn';
}
