import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface SmallMapProps {
  readonly latitude: number;
  readonly longitude: number;
}

/** The map below the coordinates, which repeats them: it may fail without loss. */
export function SmallMap(place: SmallMapProps) {
  const [loaded, setLoaded] = useState<{ readonly Map: ComponentType<SmallMapProps> }>();
  useEffect(() => {
    import('../../parts/map/PlaceMap').then(
      ({ default: Map }) => setLoaded({ Map }),
      () => undefined,
    );
  }, []);
  return loaded ? <loaded.Map {...place} /> : null;
}
