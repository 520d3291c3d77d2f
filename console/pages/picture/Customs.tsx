import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import type { PartProps } from './Picture';
import { deleteCustom, saveCustom } from './record';
import { useSaving } from './use-saving';

const none = { key: '', value: '' };

/** Pairs of key and value that clients keep with a picture. */
export function Customs({ access, image, onChange }: PartProps) {
  const [pair, setPair] = useState<{ key: string; value: string; id?: string }>(none);
  const once = useMemo(newKey, [pair]);
  const { busy, problem, save } = useSaving();
  const { key, value, id } = pair;
  const saved = (): void => {
    setPair(none);
    onChange();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const which = id === undefined ? { once } : { id };
    if (key.trim()) save(() => saveCustom(access, image.id, { key, value }, which), saved);
  };
  return (
    <section class="part">
      <h2>{t('picture.customs')}</h2>
      <ul class="notes">
        {image.customs?.map((custom) => (
          <li key={custom.id}>
            <div>
              <p class="hint">{custom.key}</p>
              <p>{custom.value}</p>
            </div>
            <Button kind="quiet" icon="edit" iconOnly onClick={() => setPair(custom)}>
              {t('picture.editCustom', { key: custom.key })}
            </Button>
            <Button
              kind="quiet"
              icon="close"
              iconOnly
              busy={busy}
              onClick={() => save(() => deleteCustom(access, image.id, custom.id), saved)}
            >
              {t('picture.deleteCustom', { key: custom.key })}
            </Button>
          </li>
        ))}
      </ul>
      <form class="one-line" onSubmit={submit}>
        <Field
          label={t('field.key')}
          value={key}
          onInput={(text) => setPair((was) => ({ ...was, key: text }))}
        />
        <Field
          label={t('field.value')}
          value={value}
          onInput={(text) => setPair((was) => ({ ...was, value: text }))}
        />
        <Button type="submit" busy={busy}>
          {id === undefined ? t('action.add') : t('action.save')}
        </Button>
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}
