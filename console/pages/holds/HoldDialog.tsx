import { useState } from 'preact/hooks';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { Select } from '../../components/Select';
import { TextArea } from '../../components/TextArea';
import { toast } from '../../components/Toast';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { createHold } from './holds';

interface HoldDialogProps {
  readonly platform: string;
  /** Whom it keeps; without one, it is asked for what. */
  readonly user?: { readonly id: string; readonly platform_user_id: string };
  readonly onClose: (made: boolean) => void;
}

const kinds = ['user', 'folder', 'images'] as const;
type Kind = (typeof kinds)[number];

/** The ids of a hold's target, as the API takes them. */
function targetOf(kind: Kind, typed: string) {
  const ids = typed.split(/[\s,]+/).filter(Boolean);
  if (kind === 'images') return { image_ids: ids };
  return kind === 'user' ? { user_id: ids[0] ?? '' } : { folder_id: ids[0] ?? '' };
}

/** Keeps something from being deleted for good: asks why, and until when. */
export function HoldDialog({ platform, user, onClose }: HoldDialogProps) {
  const [kind, setKind] = useState<Kind>('user');
  const [typed, setTyped] = useState(user?.id ?? '');
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const save = async (): Promise<void> => {
    await createHold(platform, {
      reason: reason.trim(),
      ...(until && { until: apiDay(until) }),
      ...targetOf(kind, typed),
    });
    toast(t('holds.made'));
    onClose(true);
  };
  return (
    <Dialog
      title={user ? t('holds.createFor', { name: user.platform_user_id }) : t('holds.create')}
      onClose={() => onClose(false)}
    >
      <SaveForm save={save} onCancel={() => onClose(false)} label={t('holds.create')}>
        <p class="hint">{t('holds.about')}</p>
        {!user && (
          <>
            <Select
              label={t('holds.what')}
              value={kind}
              options={kinds.map((value) => ({ value, label: t(`holds.kind.${value}`) }))}
              onChange={setKind}
            />
            <TextArea
              label={t(kind === 'images' ? 'holds.ids' : 'holds.id')}
              value={typed}
              onInput={setTyped}
              required
            />
          </>
        )}
        <TextArea label={t('holds.reason')} value={reason} onInput={setReason} required autoFocus />
        <Field
          type="date"
          label={t('holds.until')}
          value={until}
          onInput={setUntil}
          hint={t('holds.untilHint')}
        />
      </SaveForm>
    </Dialog>
  );
}
