import { useState } from 'preact/hooks';
import { DescriptionList } from '../../../components/DescriptionList';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { Select } from '../../../components/Select';
import { t } from '../../../core/i18n';
import { addressNames } from '../../library/actions';
import { EditablePart } from './EditablePart';
import { updateImage } from '../record';
import type { Image, PartProps } from '../record';

const states = ['True', 'False', 'None'] as const;
type State = (typeof states)[number];

const stateOf = ({ has_det }: Image): State =>
  has_det === null ? 'None' : has_det ? 'True' : 'False';

/** The address of a picture, field by field. */
export function Address({ access, image, onChange }: PartProps) {
  const given = addressNames.filter((name) => image[name]);
  return (
    <EditablePart
      title={t('picture.address')}
      edit={t('picture.editAddress')}
      image={image}
      form={(close) => (
        <AddressForm access={access} image={image} onChange={onChange} onClose={close} />
      )}
    >
      <div class="address">
        <DescriptionList
          items={[
            ...given.map((name) => [t(`field.${name}`), image[name]] as const),
            [t('field.has_det'), t(`detailed.${stateOf(image)}`)],
          ]}
        />
      </div>
    </EditablePart>
  );
}

function AddressForm({ access, image, onChange, onClose }: PartProps & { onClose: () => void }) {
  const [texts, setTexts] = useState<
    Readonly<Partial<Record<(typeof addressNames)[number], string>>>
  >({});
  const [state, setState] = useState(stateOf(image));
  const save = async (): Promise<void> => {
    await updateImage(access, image.id, { ...texts, has_det: state });
    onClose();
    onChange();
  };
  return (
    <SaveForm save={save} onCancel={onClose}>
      <div class="address-fields">
        {addressNames.map((name) => (
          <Field
            key={name}
            label={t(`field.${name}`)}
            value={texts[name] ?? image[name] ?? ''}
            onInput={(text) => setTexts((was) => ({ ...was, [name]: text }))}
          />
        ))}
      </div>
      <Select
        label={t('field.has_det')}
        value={state}
        options={states.map((value) => ({ value, label: t(`detailed.${value}`) }))}
        onChange={setState}
      />
    </SaveForm>
  );
}
