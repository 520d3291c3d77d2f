import { Progress } from '../../../components/Progress';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { useRead } from '../../../core/use-read';
import type { Library } from '../library';

/** How much of the quota is used. Nothing without an answer: it is of no use then. */
export function StorageBar({ library: { access, changes } }: { readonly library: Library }) {
  const { data } = useRead(
    (signal) => {
      const params = { path: { user_id: access.userId } };
      return access.call((client) =>
        client.GET('/api/v1/users/{user_id}/info', { params, signal }),
      );
    },
    [access, changes.value],
  );
  if (!data) return null;
  const { used_storage_mb: used, max_storage_mb: max } = data;
  return (
    <div class="storage-bar">
      <Progress label={t('library.storage')} value={used / max} fills />
      <p>{t('users.used', { used: size(used), max: size(max) })}</p>
    </div>
  );
}
