import { useState } from 'preact/hooks';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { t } from '../../core/i18n';
import { EditablePart } from './EditablePart';
import { SmallMap } from './SmallMap';
import { degreesOf, updateImage } from './record';
import type { Image, PartProps } from './record';

const textOf = (degrees: number | null): string => (degrees === null ? '' : String(degrees));

/** Where a picture was taken. */
export function Place({ access, image, onChange }: PartProps) {
  return (
    <EditablePart
      title={t('picture.place')}
      edit={t('picture.editPlace')}
      image={image}
      form={(close) => (
        <PlaceForm access={access} image={image} onChange={onChange} onClose={close} />
      )}
    >
      <>
        <p class={image.lat === null ? 'muted' : undefined}>{coordinatesText(image)}</p>
        {image.lat !== null && image.lng !== null && (
          <SmallMap latitude={image.lat} longitude={image.lng} />
        )}
      </>
    </EditablePart>
  );
}

const coordinatesText = ({ lat, lng }: Image): string =>
  lat === null || lng === null ? t('picture.noPlace') : `${lat}, ${lng}`;

function PlaceForm({ access, image, onChange, onClose }: PartProps & { onClose: () => void }) {
  const [latitude, setLatitude] = useState(textOf(image.lat));
  const [longitude, setLongitude] = useState(textOf(image.lng));
  const save = async (): Promise<void> => {
    const place = { latitude: degreesOf(latitude), longitude: degreesOf(longitude) };
    await updateImage(access, image.id, place);
    onClose();
    onChange();
  };
  return (
    <SaveForm save={save} onCancel={onClose}>
      <Field label={t('field.latitude')} value={latitude} onInput={setLatitude} />
      <Field label={t('field.longitude')} value={longitude} onInput={setLongitude} />
    </SaveForm>
  );
}
