import { Button } from '../../components/Button';
import { Progress } from '../../components/Progress';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { Account } from './accounts';

interface QuotaProps {
  readonly account: Account;
  /** Starts to change it; undefined if the token may not. */
  readonly onEdit: (() => void) | undefined;
}

/** What a user stores, and the quota. */
export function Quota({ account, onEdit }: QuotaProps) {
  const { used_storage_mb: used, max_storage_mb: max, platform_user_id: name } = account;
  return (
    <span class="quota">
      <span class="quota-share">
        <span>{t('users.used', { used: size(used), max: size(max) })}</span>
        <Progress label={t('users.quotaOf', { name })} value={max > 0 ? used / max : 1} fills />
      </span>
      {onEdit && (
        <Button variant="quiet" icon="edit" iconOnly onClick={onEdit}>
          {t('users.editQuota', { name })}
        </Button>
      )}
    </span>
  );
}
