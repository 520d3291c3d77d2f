import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { t } from '../../../core/i18n';
import { useModule } from '../../../core/use-module';
import type { Place } from '../actions';

interface PlaceDialogProps {
  readonly count: number;
  /** Where the map begins. */
  readonly start: Place | undefined;
  readonly onClose: () => void;
  readonly onSave: (place: Place) => void;
}

const loadMap = () => import('../../../parts/map/PlaceMap');

/** One place for several images: a click on a map, or its coordinates. */
export function PlaceDialog({ count, start, onClose, onSave }: PlaceDialogProps) {
  const [texts, setTexts] = useState(() => textsOf(start));
  const { Component: Map } = useModule(loadMap);
  const place = placeOf(texts);
  const save = (): Promise<void> => {
    if (!place) return Promise.resolve();
    onClose();
    onSave(place);
    return Promise.resolve();
  };
  return (
    <Dialog title={t('library.placeOf', { count })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose}>
        <div class="pick-map">
          {Map && <Map spot={place} onChoose={(chosen) => setTexts(textsOf(chosen))} />}
        </div>
        <p class="hint">{t('library.placeHint')}</p>
        <div class="field-pair">
          <Field
            label={t('field.latitude')}
            value={texts.latitude}
            required
            onInput={(latitude) => setTexts({ ...texts, latitude })}
          />
          <Field
            label={t('field.longitude')}
            value={texts.longitude}
            required
            onInput={(longitude) => setTexts({ ...texts, longitude })}
          />
        </div>
      </SaveForm>
    </Dialog>
  );
}

interface Texts {
  readonly latitude: string;
  readonly longitude: string;
}

const textsOf = (place: Place | undefined): Texts => ({
  latitude: place ? String(place.latitude) : '',
  longitude: place ? String(place.longitude) : '',
});

function placeOf(texts: Texts): Place | undefined {
  const [latitude, longitude] = [texts.latitude, texts.longitude].map((text) =>
    text.trim() ? Number(text) : NaN,
  );
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined;
}
