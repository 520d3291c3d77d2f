import { useEffect, useId, useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { useSettled } from '../../core/use-settled';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import type { Place } from './frame';
import './place-search.css';

type Found = components['schemas']['ImageAddresses']['addresses'][number];

interface PlaceSearchProps {
  readonly userId: string;
  readonly onChoose: (place: Place) => void;
}

/** Places that are offered. */
const limit = 8;

async function findPlaces(user_id: string, search: string, signal: AbortSignal) {
  const params = { path: { user_id }, query: { search, limit } };
  const { addresses } = await call((client) =>
    client.GET('/api/v1/users/{user_id}/images/addresses', { params, signal }),
  );
  return addresses;
}

/** Finds a place among the addresses of the user's images (WAI-ARIA, combobox with a list). */
export function PlaceSearch({ userId, onChoose }: PlaceSearchProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const wanted = useSettled(text.trim());
  const { data, problem, again } = useRead(
    async (signal) =>
      wanted ? { of: wanted, places: await findPlaces(userId, wanted, signal) } : undefined,
    [userId, wanted],
  );
  useEffect(() => setAt(0), [data]);
  const isCurrent = data !== undefined && data.of === text.trim();
  const places = open && isCurrent ? data.places : [];
  const choose = (place: Found | undefined): void => {
    if (!place) return;
    setText(nameOf(place));
    setOpen(false);
    onChoose(place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { length } = places;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(places[at]);
    else if (event.key === 'Escape' && open) setOpen(false);
    else if (step !== undefined && length === 0) setOpen(true);
    else if (step !== undefined) setAt((at + step + length) % length);
    else return;
    event.preventDefault();
  };
  return (
    <div class="map-search map-panel" role="search">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={t('map.search')}
        aria-autocomplete="list"
        aria-expanded={places.length > 0}
        aria-controls={`${id}-places`}
        aria-activedescendant={places.length > 0 ? `${id}-${at}` : undefined}
        placeholder={t('map.search')}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul
        id={`${id}-places`}
        class="map-found map-panel"
        role="listbox"
        aria-label={t('map.places')}
        hidden={places.length === 0}
      >
        {places.map((place, index) => (
          <li
            key={`${place.address}\n${place.building_name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(place)}
          >
            <span>{nameOf(place)}</span>
            <span class="muted">{withinOf(place)}</span>
          </li>
        ))}
      </ul>
      <p
        class={isNothing(open && isCurrent, data) ? 'map-found map-panel' : 'unseen'}
        role="status"
      >
        {isNothing(open && isCurrent, data) && t('map.noAddress')}
      </p>
      <ErrorNote problem={problem} onRetry={again} />
    </div>
  );
}

const nameOf = ({ address, building_name: building }: Found): string => address ?? building ?? '';

/** The building, if the address is known, and how many images are there. */
const withinOf = ({ address, building_name: building, count }: Found): string =>
  [address && building, t('library.imageCount', { count })].filter(Boolean).join(' · ');

const isNothing = (
  isShown: boolean,
  data: { readonly places: readonly Found[] } | undefined,
): boolean => isShown && data?.places.length === 0;
