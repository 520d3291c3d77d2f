import { failure, wrongUsage } from '../errors/operator.js';
import type { Context } from './context.js';
import { prompt } from './prompt.js';

/**
 * Has a person say yes, unless `--yes` has said it.
 * @throws OperatorError when nobody can be asked, or the answer is no.
 */
export async function confirm({ ui, yes, interrupted }: Context, question: string): Promise<void> {
  if (yes) return;
  if (!ui.interactive) {
    throw wrongUsage('This deletes for good and nobody is there to be asked.', {
      setting: '--yes',
      remedy: 'Add --yes.',
    });
  }
  const sure = await prompt<boolean>(
    { type: 'confirm', message: question, default: false },
    interrupted,
  );
  if (!sure) throw failure('Nothing was deleted.');
}
