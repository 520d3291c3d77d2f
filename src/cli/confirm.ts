import { failure, wrongUsage } from '../base/errors/operator.js';
import { counted } from '../base/units.js';
import type { Context } from './context.js';
import { prompt } from './prompt.js';

/** The question before tokens are revoked. @param whose completes "all tokens of …". */
export const revocation = (signIns: number, whose: string): string =>
  `Revoke all tokens of ${whose}? ${counted(signIns, 'sign-in')} will end, each with its access ` +
  'and refresh tokens.';

/**
 * Asks for confirmation unless `--yes` was given.
 * @throws OperatorError when there is no terminal to ask on, or the answer is no.
 */
export async function confirm({ ui, yes, interrupted }: Context, question: string): Promise<void> {
  if (yes) return;
  if (!ui.interactive) {
    throw wrongUsage(`${question} This cannot be undone; confirm with --yes.`, {
      setting: '--yes',
      remedy: 'Add --yes.',
    });
  }
  const sure = await prompt<boolean>(
    { type: 'confirm', message: question, default: false },
    interrupted,
  );
  if (!sure) throw failure('Nothing was changed.');
}
