import { Field } from '../../components/Field';
import { t } from '../../core/i18n';
import { Notes } from './Notes';
import { deleteCustom, saveCustom } from './record';
import type { PartProps } from './record';

/** Pairs of key and value that clients keep with a picture. */
export function Customs({ access, image, onChange }: PartProps) {
  return (
    <Notes
      title={t('picture.customs')}
      notes={image.customs ?? []}
      show={({ key, value }) => (
        <>
          <p class="hint">{key}</p>
          <p>{value}</p>
        </>
      )}
      edit={({ key }) => t('picture.editCustom', { key })}
      remove={({ key }) => t('picture.deleteCustom', { key })}
      blank={{ key: '', value: '' }}
      textOf={({ key, value }) => ({ key, value })}
      fields={({ key, value }, onText) => (
        <>
          <Field label={t('field.key')} value={key} onInput={(to) => onText({ key: to, value })} />
          <Field
            label={t('field.value')}
            value={value}
            onInput={(to) => onText({ key, value: to })}
          />
        </>
      )}
      isEmpty={({ key }) => !key.trim()}
      onSave={(pair, saved) => saveCustom(access, image.id, pair, saved)}
      onRemove={(id) => deleteCustom(access, image.id, id)}
      onChange={onChange}
    />
  );
}
