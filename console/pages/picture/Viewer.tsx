import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { t } from '../../core/i18n';
import { time } from '../../core/amounts';
import type { Image } from './record';
import { step, useZoom } from './use-zoom';

interface ViewerProps {
  readonly image: Image;
  readonly onStep: (to: 'next' | 'previous') => void;
  readonly onLeave: () => void;
}

/** A picture that can be zoomed and moved. */
export function Viewer({ image, onStep, onLeave }: ViewerProps) {
  const { frame, zoom, by, reset, onKey } = useZoom();
  const [close, setClose] = useState(false);
  const [failed, setFailed] = useState(false);
  // From this zoom on, the whole picture has more detail than the rendition.
  const isClose = close || zoom.scale > 1.5;
  if (isClose && !close) setClose(true);
  const whole = isClose && !failed ? image.full_url : undefined;
  return (
    <div class="viewer">
      <div
        ref={frame}
        class={zoom.scale > 1 ? 'viewer-frame close' : 'viewer-frame'}
        role="group"
        aria-label={t('picture.viewer')}
        tabIndex={0}
        onDblClick={() => (zoom.scale > 1 ? reset() : by(2.5))}
        onKeyDown={(event) => {
          if (onKey(event.key)) event.preventDefault();
          else if (event.key === 'ArrowRight') onStep('next');
          else if (event.key === 'ArrowLeft') onStep('previous');
          else if (event.key === 'Escape') onLeave();
        }}
      >
        <img
          src={whole ?? image.path_url}
          onError={() => whole && setFailed(true)}
          alt={t('library.imageOf', { time: time(image.created_at) })}
          draggable={false}
          style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
        />
      </div>
      <div class="viewer-tools" role="toolbar" aria-label={t('picture.zoom')}>
        <Button variant="quiet" icon="zoomOut" iconOnly onClick={() => by(1 / step)}>
          {t('picture.zoomOut')}
        </Button>
        <Button variant="quiet" onClick={reset}>
          {t('picture.scale', { n: Math.round(zoom.scale * 100) })}
        </Button>
        <Button variant="quiet" icon="zoomIn" iconOnly onClick={() => by(step)}>
          {t('picture.zoomIn')}
        </Button>
      </div>
    </div>
  );
}
