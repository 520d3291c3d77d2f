import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { DescriptionList } from '../../../components/DescriptionList';
import { ErrorNote } from '../../../components/ErrorNote';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { number, t } from '../../../core/i18n';
import { useSaving } from '../../../core/use-saving';
import type { PlaceMapProps, Spot } from '../../../parts/map/PlaceMap';
import { degreesOf, updateImage } from '../record';
import type { Image, PartProps } from '../record';
import { EditablePart } from './EditablePart';
import type { ComponentType } from 'preact';

const textOf = (degrees: number | null): string => (degrees === null ? '' : String(degrees));

const spotOf = ({ lat, lng }: Image): Spot | undefined =>
  lat === null || lng === null ? undefined : { latitude: lat, longitude: lng };

/** Where a picture was taken, on a map that is clicked for another place. */
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
      <Choosing key={image.id} access={access} image={image} onChange={onChange} />
    </EditablePart>
  );
}

/** The place, and one that has been chosen but not saved. */
function Choosing({ access, image, onChange }: PartProps) {
  const [chosen, setChosen] = useState<Spot>();
  const saved = useRef<Spot | undefined>(undefined);
  const [opened, setOpened] = useState(false);
  const { busy, problem, save } = useSaving();
  // What has been saved is in the record once that is read again; a place chosen meanwhile is not.
  useEffect(() => setChosen((now) => (now === saved.current ? undefined : now)), [image]);
  const spot = chosen ?? spotOf(image);
  const keep = (): void =>
    save(async () => {
      if (chosen) await updateImage(access, image.id, chosen);
      saved.current = chosen;
      onChange();
    });
  return (
    <>
      {spot || opened ? (
        <SmallMap
          spot={spot}
          direction={image.direction}
          onChoose={image.delete_at ? undefined : setChosen}
        />
      ) : (
        <>
          <p class="muted">{t('picture.noPlace')}</p>
          {!image.delete_at && (
            <Button icon="map" onClick={() => setOpened(true)}>
              {t('picture.choosePlace')}
            </Button>
          )}
        </>
      )}
      {spot && <p class="coordinates">{`${spot.latitude}, ${spot.longitude}`}</p>}
      {chosen ? (
        <div class="part-actions">
          <Button onClick={() => setChosen(undefined)}>{t('action.cancel')}</Button>
          <Button variant="primary" busy={busy} onClick={keep}>
            {t('picture.savePlace')}
          </Button>
        </div>
      ) : (
        (spot || opened) && !image.delete_at && <p class="hint">{t('picture.placeHint')}</p>
      )}
      <ErrorNote problem={problem} />
      <Bearings image={image} />
    </>
  );
}

/** What else the camera told about where it was. */
function Bearings({
  image: { direction, altitude_m: altitude, accuracy_m: accuracy },
}: {
  readonly image: Image;
}) {
  const told = (name: string, value: number | null, unit: string) =>
    value === null ? [] : [[name, `${number(value, 1)}${unit}`] as const];
  const items = [
    ...told(t('field.direction'), direction, '°'),
    ...told(t('field.altitude'), altitude, ' m'),
    ...told(t('field.accuracy'), accuracy, ' m'),
  ];
  return items.length > 0 ? <DescriptionList items={items} /> : null;
}

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

/** The map of a place, which coordinates can be typed without: it may fail without loss. */
function SmallMap(props: PlaceMapProps) {
  const [loaded, setLoaded] = useState<{ readonly Map: ComponentType<PlaceMapProps> }>();
  useEffect(() => {
    import('../../../parts/map/PlaceMap').then(
      ({ default: Map }) => setLoaded({ Map }),
      () => undefined,
    );
  }, []);
  return loaded ? <loaded.Map {...props} /> : <div class="place-map-coming" />;
}
