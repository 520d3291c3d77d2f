import type { Context } from '../context.js';
import { serveUntilSignal } from '../serving.js';

export async function serve(context: Context, { init }: { init?: boolean }): Promise<void> {
  if (init) {
    // Else the service loads its parts while the database starts.
    const { initialiseHome } = await import('./init.js');
    await initialiseHome(context, { tell: false });
  }
  await serveUntilSignal(context, async ({ address }) => ({
    document: { address },
    text: `imgstore is listening at ${address}`,
  }));
}
