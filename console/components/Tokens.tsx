import { t } from '../core/i18n';
import { Button } from './Button';
import { CopyButton } from './CopyButton';

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

function Token({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="token">
      <p>{name}</p>
      <code tabIndex={0}>{value}</code>
      <CopyButton value={value} />
    </div>
  );
}
