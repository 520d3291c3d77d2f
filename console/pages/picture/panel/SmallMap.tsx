import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PlaceMapProps } from '../../../parts/map/PlaceMap';

/** The map of a place, which coordinates can be typed without: it may fail without loss. */
export function SmallMap(props: PlaceMapProps) {
  const [loaded, setLoaded] = useState<{ readonly Map: ComponentType<PlaceMapProps> }>();
  useEffect(() => {
    import('../../../parts/map/PlaceMap').then(
      ({ default: Map }) => setLoaded({ Map }),
      () => undefined,
    );
  }, []);
  return loaded ? <loaded.Map {...props} /> : <div class="place-map-coming" />;
}
