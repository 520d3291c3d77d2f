import type { Context } from '../context.js';
import { serveUntilSignal } from '../serve-until-signal.js';

export async function serve(given: Context, { init }: { init?: boolean }): Promise<void> {
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
