import { t } from '../core/i18n';
import { Button } from './Button';
import { toast } from './Toast';

interface TokensProps {
  readonly access: string;
  readonly refresh: string;
  readonly onClose: () => void;
}

/** Tokens that have just been issued. The server never shows them again. */
export function Tokens({ access, refresh, onClose }: TokensProps) {
  return (
    <div class="tokens">
      <p>{t('tokens.once')}</p>
      <Token name={t('tokens.access')} value={access} />
      <Token name={t('tokens.refresh')} value={refresh} />
      <div class="dialog-actions">
        <Button variant="primary" onClick={onClose}>
          {t('action.done')}
        </Button>
      </div>
    </div>
  );
}

/** Text that can be copied. */
export function Token({ name, value }: { readonly name: string; readonly value: string }) {
  const copy = (): void => {
    // Browsers allow it only on https and on this machine; elsewhere the text can be selected.
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    if (!clipboard) toast(t('tokens.notCopied'));
    clipboard?.writeText(value).then(
      () => toast(t('tokens.copied')),
      () => toast(t('tokens.notCopied')),
    );
  };
  return (
    <div class="token">
      <p>{name}</p>
      <code tabIndex={0}>{value}</code>
      <Button icon="copy" onClick={copy}>
        {t('action.copy')}
      </Button>
    </div>
  );
}
