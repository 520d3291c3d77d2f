import { useRef } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { serviceSettings } from '../../../core/service';
import { useRead } from '../../../core/use-read';
import type { Image, PartProps } from '../record';
import type { Version } from '../version';
import { Address } from './Address';
import { Customs } from './Customs';
import { FileDetails } from './FileDetails';
import { Memos } from './Memos';
import { Place } from './Place';
import { SameSpot } from './SameSpot';
import { useSheet } from './use-sheet';
import { Versions } from './Versions';
import './panel.css';

interface PanelProps extends PartProps {
  readonly versions: readonly Version[];
  /** Which version the viewer shows. */
  readonly shown: string;
  readonly onShow: (version: string) => void;
  readonly onCompareVersion: (version: string) => void;
  readonly onCompare: (others: readonly Image[], id: string) => void;
  readonly onClose: () => void;
}

/** All that is known of a picture, beside it, or over its lower half on a phone. */
export function Panel(props: PanelProps) {
  const { access, image, onChange, versions, shown, onShow, onCompareVersion, onClose } = props;
  const part = { access, image, onChange };
  const panel = useRef<HTMLElement>(null);
  useSheet(panel, onClose);
  return (
    <aside ref={panel} class="panel" aria-label={t('picture.details')}>
      <header class="panel-head">
        <p>{t('picture.details')}</p>
        <Button variant="quiet" icon="close" iconOnly onClick={onClose}>
          {t('picture.closeDetails')}
        </Button>
      </header>
      <div class="panel-parts" key={image.id}>
        <Taken image={image} />
        <Place {...part} />
        <SameSpot access={access} image={image} onCompare={props.onCompare} />
        <Address {...part} />
        <Memos {...part} />
        <Customs {...part} />
        <Versions versions={versions} shown={shown} onShow={onShow} onCompare={onCompareVersion} />
        <FileDetails image={image} />
      </div>
    </aside>
  );
}

/** When a picture was taken. Records have the time zone of the service. */
function Taken({ image: { taken_at: taken } }: { readonly image: Image }) {
  const { data: settings } = useRead(() => serviceSettings(), []);
  return (
    <section class="part">
      <h2>{t('field.taken')}</h2>
      {taken === null ? (
        <p class="muted">{t('picture.notTaken')}</p>
      ) : (
        <p>
          {time(taken)}
          <span class="hint taken-zone">{settings?.time_zone}</span>
        </p>
      )}
    </section>
  );
}
