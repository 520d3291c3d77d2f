import type { Config } from '../base/config/options.js';
import { failure, wrongUsage } from '../base/errors/operator.js';
import { guarded, ignore } from '../base/guarded.js';
import { printable } from '../base/text.js';
import { counted } from '../base/units.js';
import type { Context } from './context.js';

/** A name given on the command line, trimmed and validated by the same rule as in the API. */
export async function parseName(flag: string, value: string): Promise<string> {
  const { text } = await import('../http/request-fields.js');
  const { data, error } = text(1, 255).safeParse(value.trim());
  if (data !== undefined) return data;
  throw wrongUsage(`${flag} must be ${error?.issues[0]?.message}.`, { setting: flag });
}

/** @throws OperatorError 2. */
export function parseWhole(flag: string, text: string, min: number, max: number): number {
  const whole = Number(text);
  if (Number.isInteger(whole) && whole >= min && whole <= max) return whole;
  throw wrongUsage(`${flag} must be a whole number from ${min} to ${max}.`, { setting: flag });
}

interface Base {
  readonly message: string;
}

export type Question = Base &
  (
    | { readonly type: 'confirm'; readonly default: boolean }
    | {
        readonly type: 'input' | 'password';
        readonly default?: string;
        readonly validate?: (text: string) => true | string | Promise<true | string>;
      }
    | {
        readonly type: 'select';
        readonly choices: readonly Choice<unknown>[];
        /** Undefined: the first one. */
        readonly default?: unknown;
      }
  );

/** One of several answers. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** Shown while this answer is the current one. */
  readonly description?: string;
}

/**
 * Asks one question on stderr, like all output that is not a result, so that it is visible even if
 * stdout is redirected. Rejects when `interrupted` or Ctrl-C ends the command.
 */
export async function prompt<T>(question: Question, interrupted: AbortSignal): Promise<T> {
  // Loaded only when there is a question: loading takes longer than the rest of a command.
  const { default: inquirer } = await import('inquirer');
  const ask = inquirer.createPromptModule({ signal: interrupted, output: process.stderr });
  const message = printable(question.message);
  const { answer } = await ask<{ answer: T }>([{ ...question, message, name: 'answer' }]);
  return answer;
}

/** Thrown when a person wants to answer the question before again. */
export class Back extends Error {
  override readonly name = 'Back';
}

/** Like `prompt`; Esc throws `Back`. */
export async function promptOrBack<T>(question: Question, interrupted: AbortSignal): Promise<T> {
  const back = new AbortController();
  const onKey = guarded(ignore, (_text: unknown, { name }: { name?: string }) => {
    if (name === 'escape') back.abort();
  });
  process.stdin.on('keypress', onKey);
  try {
    return await prompt<T>(question, AbortSignal.any([interrupted, back.signal]));
  } catch (error) {
    throw back.signal.aborted && !interrupted.aborted ? new Back() : error;
  } finally {
    process.stdin.off('keypress', onKey);
  }
}

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

/**
 * The passphrase for a backup's secrets: the configured one, or else prompted for.
 * @param twice prompts for a new one twice, since a typing mistake would make the secrets unreadable.
 */
export async function choosePassphrase(
  { ui, interrupted }: Context,
  config: Config,
  twice: boolean,
): Promise<string> {
  const set = config['backup.passphrase'];
  if (set !== undefined) return set;
  if (!ui.interactive) {
    throw wrongUsage('No passphrase for the secrets is set, and there is no terminal to ask on.', {
      setting: 'backup.passphrase',
      remedy: 'Set IMGSTORE_BACKUP_PASSPHRASE, or IMGSTORE_BACKUP_PASSPHRASE_FILE.',
    });
  }
  const ask = (message: string): Promise<string> =>
    prompt<string>(
      { type: 'password', message, validate: (text) => text !== '' || 'Enter a passphrase.' },
      interrupted,
    );
  const passphrase = await ask('Passphrase for the secrets:');
  if (!twice || passphrase === (await ask('Repeat the passphrase:'))) return passphrase;
  throw wrongUsage('The two passphrases differ.', { setting: 'backup.passphrase' });
}
