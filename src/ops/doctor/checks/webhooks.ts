import { counted } from '../../../base/units.js';
import { ok, warning, type Check } from '../check.js';
import { selectPausedWebhooks } from '../table.sql.js';

export const webhooks: Check = {
  name: 'webhooks',
  title: 'No webhook is paused',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const [first, ...others] = await selectPausedWebhooks(await context.db());
    if (!first) return ok('All are active.');
    const more = others.length > 0 ? `, and ${counted(others.length, 'other')}` : '';
    return warning(
      `The webhook ${first.id} is paused (${first.reason})${more}: its platform is not notified of changes.`,
      `${context.command('webhook', 'test', first.id)}; once that succeeds: ${context.command('webhook', 'resume', first.id)}`,
    );
  },
};
