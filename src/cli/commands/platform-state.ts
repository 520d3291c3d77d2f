import type { Context } from '../context.js';
import { parseName } from '../parse-name.js';
import { platformText } from '../record-text.js';
import { withTenants } from '../tenants.js';

export async function renamePlatform(
  context: Context,
  { name }: { name: string },
  [id = '']: string[],
): Promise<void> {
  const unique = parseName('--name', name);
  const document = await withTenants(context, ({ platforms }) => platforms.rename(id, unique));
  context.ui.result({ document, text: platformText(document) });
}

/** Suspends or resumes. */
const setSuspended =
  (suspended: boolean, said: string) =>
  async (context: Context, _options: object, [id = '']: string[]): Promise<void> => {
    const document = await withTenants(context, async ({ platforms }) => ({
      ...(await platforms.suspend(id, suspended)),
      suspended_at: await platforms.suspendedAt(id),
    }));
    context.ui.result({ document, text: `${platformText(document)}  ${said}` });
  };

export const suspendPlatform = setSuspended(
  true,
  'suspended: its tokens and those of its users are refused from the next request on.',
);
export const resumePlatform = setSuspended(false, 'resumed: its tokens work again.');
