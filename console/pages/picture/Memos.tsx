import { Field } from '../../components/Field';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { Notes } from './Notes';
import { deleteMemo, saveMemo } from './record';
import type { PartProps } from './record';

/** Notes on a picture, oldest first. */
export function Memos({ access, image, onChange }: PartProps) {
  return (
    <Notes
      title={t('picture.memos')}
      notes={image.memos ?? []}
      show={({ message, created_at: created }) => (
        <>
          <p>{message}</p>
          <p class="hint">{time(created)}</p>
        </>
      )}
      edit={() => t('picture.editMemo')}
      remove={() => t('picture.deleteMemo')}
      blank=""
      textOf={({ message }) => message}
      fields={(text, onText) => <Field label={t('picture.memo')} value={text} onInput={onText} />}
      isEmpty={(text) => !text.trim()}
      onSave={(text, saved) => saveMemo(access, image.id, text, saved)}
      onRemove={(id) => deleteMemo(access, image.id, id)}
      onChange={onChange}
    />
  );
}
