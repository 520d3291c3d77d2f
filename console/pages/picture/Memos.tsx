import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import type { PartProps } from './Picture';
import { deleteMemo, saveMemo } from './record';
import { useSaving } from './use-saving';

/** Notes on a picture, oldest first. */
export function Memos({ access, image, onChange }: PartProps) {
  const [message, setMessage] = useState('');
  const [edited, setEdited] = useState<string>();
  const once = useMemo(newKey, [message]);
  const { busy, problem, save } = useSaving();
  const saved = (): void => {
    setMessage('');
    setEdited(undefined);
    onChange();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const which = edited === undefined ? { once } : { id: edited };
    if (message.trim()) save(() => saveMemo(access, image.id, message, which), saved);
  };
  return (
    <section class="part">
      <h2>{t('picture.memos')}</h2>
      <ul class="notes">
        {image.memos?.map((memo) => (
          <li key={memo.id}>
            <div>
              <p>{memo.message}</p>
              <p class="hint">{time(memo.created_at)}</p>
            </div>
            <Button
              kind="quiet"
              icon="edit"
              iconOnly
              onClick={() => {
                setEdited(memo.id);
                setMessage(memo.message);
              }}
            >
              {t('picture.editMemo')}
            </Button>
            <Button
              kind="quiet"
              icon="close"
              iconOnly
              busy={busy}
              onClick={() => save(() => deleteMemo(access, image.id, memo.id), saved)}
            >
              {t('picture.deleteMemo')}
            </Button>
          </li>
        ))}
      </ul>
      <form class="one-line" onSubmit={submit}>
        <Field label={t('picture.memo')} value={message} onInput={setMessage} />
        <Button type="submit" busy={busy}>
          {edited === undefined ? t('action.add') : t('action.save')}
        </Button>
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}
