import { useState } from 'preact/hooks';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { accessTo } from '../library/access';
import type { Account } from './accounts';

interface QuotaDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onChange: (changed: Pick<Account, 'id' | 'max_storage_mb'>) => void;
}

/** Asks how much a user may store. The API sets it with a token of the user. */
export function QuotaDialog({ account, onClose, onChange }: QuotaDialogProps) {
  const { id, platform_user_id: name, used_storage_mb: used } = account;
  const [megabytes, setMegabytes] = useState(String(account.max_storage_mb));
  const wanted = Number(megabytes);
  const save = async (): Promise<void> => {
    const { max_storage_mb } = await accessTo(id).call((client) =>
      client.PUT('/api/v1/users/{user_id}', {
        params: { path: { user_id: id } },
        body: { max_storage_mb: wanted },
      }),
    );
    onChange({ id, max_storage_mb });
    onClose();
  };
  return (
    <Dialog title={t('users.quotaOf', { name })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose}>
        <Field
          type="number"
          label={t('users.megabytes')}
          value={megabytes}
          onInput={setMegabytes}
          hint={t('users.quotaHint', { wanted: wanted > 0 ? size(wanted) : '–', used: size(used) })}
          required
          autoFocus
        />
      </SaveForm>
    </Dialog>
  );
}
