import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import { EditablePart } from './EditablePart';
import type { PartProps } from './Picture';
import { updateImage } from './record';
import type { Image } from './record';
import { useSaving } from './use-saving';

const names = [
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
] as const;

const states = ['True', 'False', 'None'] as const;
type State = (typeof states)[number];

const stateOf = ({ has_det }: Image): State =>
  has_det === null ? 'None' : has_det ? 'True' : 'False';

/** The address of a picture, field by field. */
export function Address({ access, image, onChange }: PartProps) {
  const given = names.filter((name) => image[name]);
  return (
    <EditablePart
      title={t('picture.address')}
      edit={t('picture.editAddress')}
      image={image}
      form={(close) => (
        <AddressForm access={access} image={image} onChange={onChange} onClose={close} />
      )}
    >
      <dl class="facts">
        {given.map((name) => (
          <div key={name}>
            <dt>{t(`field.${name}`)}</dt>
            <dd>{image[name]}</dd>
          </div>
        ))}
        <div>
          <dt>{t('field.has_det')}</dt>
          <dd>{t(`detailed.${stateOf(image)}`)}</dd>
        </div>
      </dl>
    </EditablePart>
  );
}

function AddressForm({ access, image, onChange, onClose }: PartProps & { onClose: () => void }) {
  const [texts, setTexts] = useState<Readonly<Partial<Record<(typeof names)[number], string>>>>({});
  const [state, setState] = useState(stateOf(image));
  const { busy, problem, save } = useSaving();
  const submit = (event: Event): void => {
    event.preventDefault();
    save(
      () => updateImage(access, image.id, { ...texts, has_det: state }),
      () => {
        onClose();
        onChange();
      },
    );
  };
  return (
    <form onSubmit={submit}>
      {names.map((name) => (
        <Field
          key={name}
          label={t(`field.${name}`)}
          value={texts[name] ?? image[name] ?? ''}
          onInput={(text) => setTexts((was) => ({ ...was, [name]: text }))}
        />
      ))}
      <Select
        label={t('field.has_det')}
        value={state}
        options={states.map((value) => ({ value, label: t(`detailed.${value}`) }))}
        onChange={setState}
      />
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
