import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../core/i18n';
import { picked } from './dropped';
import type { Spot } from './dropped';
import type { Uploads } from './uploads';

interface Camera {
  readonly open: () => void;
  /** Must be on the page. */
  readonly input: ComponentChild;
}

/** The camera of a phone, whose pictures are uploaded into a folder, with the place of the device. */
export function useCamera(uploads: Uploads, into: string): Camera {
  const input = useRef<HTMLInputElement>(null);
  /** Where the device is when its camera is opened. */
  const spot = useRef<Promise<Spot | undefined>>(undefined);
  const take = async (taken: HTMLInputElement): Promise<void> => {
    const found = picked(taken.files ?? []);
    taken.value = '';
    const about = { camera: true, spot: await spot.current } as const;
    uploads.add(
      found.map((one) => ({ ...one, ...about })),
      into,
    );
  };
  return {
    open: () => {
      spot.current = deviceSpot();
      input.current?.click();
    },
    input: (
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('upload.camera')}
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
    ),
  };
}

/** How long a place is waited for, and how old it may be, in milliseconds. */
const patienceMs = 15_000;
const freshMs = 60_000;

/**
 * Where the device is, for pictures taken here and now: what a phone's camera knows of it is not told to pages. The browser asks once;
 * undefined if it may not, does not know, or is on plain http.
 */
const deviceSpot = (): Promise<Spot | undefined> =>
  new Promise((resolve) => {
    const { geolocation } = navigator as Partial<Navigator>;
    if (!geolocation) return resolve(undefined);
    const options = { enableHighAccuracy: true, timeout: patienceMs, maximumAge: freshMs };
    geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      () => resolve(undefined),
      options,
    );
    return undefined;
  });
