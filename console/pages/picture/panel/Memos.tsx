import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { ErrorNote } from '../../../components/ErrorNote';
import { TextArea } from '../../../components/TextArea';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { newKey } from '../../../core/new-key';
import { useSaving } from '../../../core/use-saving';
import { deleteMemo, saveMemo } from '../../library/annotations';
import type { PartProps } from '../record';

/** Notes on a picture, oldest first, and a field for another one or for the one that is changed. */
export function Memos({ access, image, onChange }: PartProps) {
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<string>();
  // One key per text, so that a memo is stored once if its answer is lost and it is saved again.
  const once = useMemo(newKey, [text]);
  const { busy, problem, save } = useSaving();
  const clear = (): void => {
    setText('');
    setEdited(undefined);
  };
  const submit = (): void => {
    if (!text.trim()) return;
    save(async () => {
      await saveMemo(access, image.id, text, edited === undefined ? { once } : { id: edited });
      clear();
      onChange();
    });
  };
  const remove = (id: string): void =>
    save(async () => {
      await deleteMemo(access, image.id, id);
      if (id === edited) clear();
      onChange();
    });
  return (
    <section class="part">
      <h2>{t('picture.memos')}</h2>
      <ul class="memos">
        {(image.memos ?? []).map(({ id, message, created_at: created }) => (
          <li key={id} class={id === edited ? 'edited' : undefined}>
            <p>{message}</p>
            <div>
              <span class="hint">{time(created)}</span>
              <Button
                variant="quiet"
                icon="edit"
                iconOnly
                onClick={() => {
                  setText(message);
                  setEdited(id);
                }}
              >
                {t('picture.editMemo')}
              </Button>
              <Button variant="quiet" icon="trash" iconOnly busy={busy} onClick={() => remove(id)}>
                {t('picture.deleteMemo')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextArea
          label={t('picture.memo')}
          bare
          placeholder={t('picture.memoHint')}
          value={text}
          onInput={setText}
          onSubmit={submit}
        />
        {(text || edited !== undefined) && (
          <div class="part-actions">
            <Button onClick={clear}>{t('action.cancel')}</Button>
            <Button type="submit" variant="primary" busy={busy}>
              {edited === undefined ? t('picture.addMemo') : t('action.save')}
            </Button>
          </div>
        )}
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}
