import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { serviceSettings } from '../../../core/service';
import { useRead } from '../../../core/use-read';
import type { Image } from '../record';

/** When a picture was taken. Records have the time zone of the service. */
export function Taken({ image: { taken_at: taken } }: { readonly image: Image }) {
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
