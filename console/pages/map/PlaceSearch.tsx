import { useEffect, useId, useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { findPlaces } from './places';
import type { FoundPlace } from './places';
import './place-search.css';

interface PlaceSearchProps {
  readonly userId: string;
  readonly onChoose: (place: FoundPlace) => void;
}

/** Milliseconds without typing after which a text is searched for. */
const pauseMs = 250;

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
  const choose = (place: FoundPlace | undefined): void => {
    if (!place) return;
    setText(place.address);
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
            key={`${place.address}\n${place.within}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(place)}
          >
            <span>{place.address}</span>
            {place.within && <span class="muted">{place.within}</span>}
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

const isNothing = (
  isShown: boolean,
  data: { readonly places: readonly FoundPlace[] } | undefined,
): boolean => isShown && data?.places.length === 0;

/** A text once the reader has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
