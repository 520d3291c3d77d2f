import { forEachLimited, withDeadline } from '../../../base/concurrency.js';
import { counted, secondMs } from '../../../base/units.js';
import { selectKeyUrls } from '../../../http/auth/identities.js';
import { readKeySet } from '../../../http/auth/key-sets.js';
import { resolveName, Targets } from '../../../http/outgoing.js';
import { ok, warning, type Check } from '../check.js';

/** Shorter than the limit of a check. */
const limitMs = 20 * secondMs;
const atOnce = 16;
/** Key sets named in a diagnosis. */
const maxNamed = 5;

export const identities: Check = {
  name: 'identities',
  title: "The key sets of platforms' identity providers can be read",
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const sources = await selectKeyUrls(await context.db());
    const targets = new Targets('identity', await context.config());
    const outgoing = { targets, resolve: resolveName };
    const faults: string[] = [];
    await withDeadline(context.interrupted, limitMs, (until) =>
      forEachLimited(sources, atOnce, async ({ platformId, url }) => {
        await readKeySet(url, outgoing, until).catch((error: unknown) => {
          faults.push(`${url} of the platform ${platformId}: ${(error as Error).message}`);
        });
      }),
    );
    if (faults.length === 0) return ok(`${counted(sources.length, 'key set')} read.`);
    const named = faults.slice(0, maxNamed).join('; ');
    return warning(
      `${counted(faults.length, 'key set')} of ${sources.length} cannot be read: ${named}${faults.length > maxNamed ? '; …' : ''}. Tokens of these platforms are refused from 70 minutes after the last reading on.`,
      `Tell the platform, or correct it: ${context.command('platform', 'identity', 'show', 'ID')}; private hosts need the setting identity.allow_networks.`,
    );
  },
};
