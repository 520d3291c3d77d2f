import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { t } from '../../core/i18n';
import { serviceSettings } from '../../core/service';
import { useRead } from '../../core/use-read';

/** Zoom from which outlines of countries no longer tell where one is. */
const empty = 8;

/** As an operator types them. Not translated, and with braces that messages give another meaning. */
const commands = [
  'imgstore config set map.basemap https://maps.example.com/korea.pmtiles',
  'imgstore config set map.basemap https://maps.example.com/{z}/{x}/{y}.mvt',
  'imgstore config set map.attribution "© OpenStreetMap"',
];

/** Says why nothing is drawn below the images, and how an operator changes that. */
export function Legend({ zoom = 0 }: { readonly zoom: number | undefined }) {
  const { data } = useRead(serviceSettings, []);
  const [open, setOpen] = useState(false);
  if (!data || data.basemap || zoom < empty) return null;
  return (
    <div class="map-legend">
      <Button icon="map" onClick={() => setOpen(true)}>
        {t('map.whyEmpty')}
      </Button>
      {open && (
        <Dialog title={t('map.whyEmpty')} onClose={() => setOpen(false)}>
          <p>{t('map.outlinesOnly')}</p>
          <p>{t('map.nameBasemap')}</p>
          <div class="map-commands">
            {commands.map((command) => (
              <code key={command}>{command}</code>
            ))}
          </div>
          <p>{t('map.basemapForms')}</p>
        </Dialog>
      )}
    </div>
  );
}
