import { time } from '../../core/amounts';
import { t } from '../../core/i18n';

/** Says that a user is suspended; nothing if not. */
export function Suspended({ since }: { readonly since: string | null }) {
  if (since === null) return null;
  return (
    <span class="tag bad" title={time(since)}>
      {t('users.suspended')}
    </span>
  );
}
