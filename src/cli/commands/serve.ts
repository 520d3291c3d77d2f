import type { Context } from '../context.js';
import { serveUntilSignal } from '../serve-until-signal.js';

export async function serve(context: Context, { init }: { init?: boolean }): Promise<void> {
  if (init) {
    // Else the service loads its parts while the database starts.
    const { initializeHome } = await import('./init.js');
    await initializeHome(context, { tell: false });
  }
  await serveUntilSignal(context, async ({ url }) => ({
    document: { address: url },
    text: `imgstore is listening at ${url}`,
  }));
}
