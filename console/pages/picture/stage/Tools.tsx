import type { ComponentChildren } from 'preact';
import { Button } from '../../../components/Button';
import { t } from '../../../core/i18n';
import { step } from './use-zoom';
import type { Zooming } from './use-zoom';

interface ToolsProps {
  readonly zooming: Zooming;
  /** The scale at which one pixel of the picture is one of the screen. */
  readonly real: number;
  /** Further tools. */
  readonly children?: ComponentChildren;
}

/** How a picture is looked at. */
export function Tools({ zooming: { zoom, by, reset, toReal }, real, children }: ToolsProps) {
  const percent = Math.round((zoom.scale / real) * 100);
  return (
    <div class="stage-tools" role="toolbar" aria-label={t('picture.view')}>
      <Button variant="quiet" icon="zoomOut" iconOnly onClick={() => by(1 / step)}>
        {t('picture.zoomOut')}
      </Button>
      <Button
        variant="quiet"
        title={t('picture.toReal')}
        onClick={() => (percent === 100 ? reset() : toReal())}
      >
        {t('picture.scale', { n: percent })}
      </Button>
      <Button variant="quiet" icon="zoomIn" iconOnly onClick={() => by(step)}>
        {t('picture.zoomIn')}
      </Button>
      <Button variant="quiet" icon="fit" iconOnly onClick={reset}>
        {t('picture.fit')}
      </Button>
      {children}
    </div>
  );
}
