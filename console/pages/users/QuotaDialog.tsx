import { useState } from 'preact/hooks';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { Select } from '../../components/Select';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { accessTo } from '../library/access';
import type { Account } from './accounts';

interface QuotaDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onChange: (changed: Pick<Account, 'id' | 'max_storage_mb'>) => void;
}

/** Megabytes of each unit, the largest first. */
const units = { TB: 1_048_576, GB: 1_024, MB: 1 } as const;
type Unit = keyof typeof units;

const names = Object.keys(units) as Unit[];

/** The largest unit in which a quota is at least one. */
const unitOf = (megabytes: number): Unit => names.find((unit) => megabytes >= units[unit]) ?? 'MB';

/** Asks how much a user may store. The API sets it with a token of the user. */
export function QuotaDialog({ account, onClose, onChange }: QuotaDialogProps) {
  const { id, platform_user_id: name, used_storage_mb: used, max_storage_mb: max } = account;
  const [unit, setUnit] = useState(unitOf(max));
  const [typed, setTyped] = useState(String(max / units[unitOf(max)]));
  const wanted = Number(typed) * units[unit];
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
        <div class="amount">
          <Field
            type="number"
            label={t('users.quota')}
            value={typed}
            onInput={setTyped}
            required
            autoFocus
          />
          <Select
            label={t('users.unit')}
            value={unit}
            options={names.map((value) => ({ value, label: value }))}
            onChange={setUnit}
          />
        </div>
        <p class="hint" role="status">
          {inWords(wanted, used)}
        </p>
      </SaveForm>
    </Dialog>
  );
}

/** What a quota means for what is stored already. */
function inWords(wanted: number, used: number): string {
  const stored = t('users.quotaStored', { used: size(used) });
  if (!(wanted > 0)) return stored;
  return wanted < used
    ? `${stored} ${t('users.quotaOver', { over: size(used - wanted) })}`
    : `${stored} ${t('users.quotaLeft', { wanted: size(wanted), left: size(wanted - used) })}`;
}
