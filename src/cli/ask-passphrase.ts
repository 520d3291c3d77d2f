import type { Config } from '../config/options.js';
import { wrongUsage } from '../errors/operator.js';
import type { Context } from './context.js';
import { prompt } from './prompt.js';

/**
 * The passphrase of a backup's secrets: the one that is set, else the answer of a person.
 * @param twice asks for a new one again, since a typing mistake would make the secrets unreadable.
 */
export async function choosePassphrase(
  { ui, interrupted }: Context,
  config: Config,
  twice: boolean,
): Promise<string> {
  const set = config['backup.passphrase'];
  if (set !== undefined) return set;
  if (!ui.interactive) {
    throw wrongUsage('There is no passphrase for the secrets, and no terminal to ask on.', {
      setting: 'backup.passphrase',
      remedy: 'Set IMGSTORE_BACKUP_PASSPHRASE, or IMGSTORE_BACKUP_PASSPHRASE_FILE.',
    });
  }
  const ask = (message: string): Promise<string> =>
    prompt<string>(
      { type: 'password', message, validate: (text) => text !== '' || 'Type a passphrase.' },
      interrupted,
    );
  const passphrase = await ask('Passphrase of the secrets:');
  if (!twice || passphrase === (await ask('Once more:'))) return passphrase;
  throw wrongUsage('The two passphrases differ.', { setting: 'backup.passphrase' });
}
