import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { ErrorNote } from '../../../components/ErrorNote';
import { Field } from '../../../components/Field';
import { t } from '../../../core/i18n';
import { newKey } from '../../../core/new-key';
import { useSaving } from '../../../core/use-saving';
import { deleteCustom, saveCustom } from '../../library/annotations';
import type { PartProps } from '../record';

/** Pairs of key and value that clients keep with a picture, in a table. */
export function Customs({ access, image, onChange }: PartProps) {
  const [edited, setEdited] = useState<string>();
  const { busy, problem, save } = useSaving();
  const customs = image.customs ?? [];
  const remove = (id: string): void =>
    save(async () => {
      await deleteCustom(access, image.id, id);
      onChange();
    });
  const close = (): void => setEdited(undefined);
  const form = (id?: string, key = '', value = '') => (
    <PairForm
      {...{ access, image, onChange, id, start: { key, value } }}
      onClose={close}
      key={id ?? 'new'}
    />
  );
  return (
    <section class="part">
      <header>
        <h2>{t('picture.customs')}</h2>
        <Button variant="quiet" icon="plus" iconOnly onClick={() => setEdited('new')}>
          {t('picture.addCustom')}
        </Button>
      </header>
      {customs.length > 0 && (
        <table class="customs">
          <colgroup>
            <col class="customs-key" />
            <col />
            <col class="customs-actions" />
          </colgroup>
          <thead class="unseen">
            <tr>
              <th scope="col">{t('field.key')}</th>
              <th scope="col">{t('field.value')}</th>
              <th scope="col">{t('picture.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {customs.map(({ id, key, value }) =>
              id === edited ? (
                <tr key={id}>
                  <td colSpan={3}>{form(id, key, value)}</td>
                </tr>
              ) : (
                <tr key={id}>
                  <th scope="row">{key}</th>
                  <td>{value}</td>
                  <td class="row-actions">
                    <Button variant="quiet" icon="edit" iconOnly onClick={() => setEdited(id)}>
                      {t('picture.editCustom', { key })}
                    </Button>
                    <Button
                      variant="quiet"
                      icon="trash"
                      iconOnly
                      busy={busy}
                      onClick={() => remove(id)}
                    >
                      {t('picture.deleteCustom', { key })}
                    </Button>
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      )}
      {customs.length === 0 && edited === undefined && (
        <p class="muted">{t('picture.noCustoms')}</p>
      )}
      {edited === 'new' && form()}
      <ErrorNote problem={problem} />
    </section>
  );
}

interface PairFormProps extends PartProps {
  /** Undefined for a new pair. */
  readonly id: string | undefined;
  readonly start: { readonly key: string; readonly value: string };
  readonly onClose: () => void;
}

function PairForm({ access, image, onChange, id, start, onClose }: PairFormProps) {
  const [key, setKey] = useState(start.key);
  const [value, setValue] = useState(start.value);
  const once = useMemo(newKey, [key, value]);
  const { busy, problem, save } = useSaving();
  const submit = (event: Event): void => {
    event.preventDefault();
    save(async () => {
      await saveCustom(access, image.id, { key, value }, id === undefined ? { once } : { id });
      onClose();
      onChange();
    });
  };
  return (
    <form class="pair" onSubmit={submit}>
      <Field label={t('field.key')} value={key} onInput={setKey} required autoFocus />
      <Field label={t('field.value')} value={value} onInput={setValue} required />
      <ErrorNote problem={problem} />
      <div class="part-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {id === undefined ? t('action.add') : t('action.save')}
        </Button>
      </div>
    </form>
  );
}
