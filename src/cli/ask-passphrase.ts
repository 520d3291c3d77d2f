import type { Config } from '../base/config/options.js';
import { wrongUsage } from '../base/errors/operator.js';
import type { Context } from './context.js';
import { prompt } from './prompt.js';

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
