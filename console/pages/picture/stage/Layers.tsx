import { useState } from 'preact/hooks';
import { t } from '../../../core/i18n';
import type { Shot } from './shot';
import type { Whole } from './use-whole';
import { fitted } from './zoom';
import type { Box, Turns, Zoom } from './zoom';

interface LayersProps {
  readonly shot: Shot;
  /** The size of the picture. */
  readonly size: Box;
  readonly frame: Box;
  readonly zoom: Zoom;
  readonly turns?: Turns;
  /** Shown over the rendition once it has been loaded; undefined until it is wanted. */
  readonly whole?: Whole | undefined;
  /** Receives the width of the rendition. */
  readonly onDisplay?: (pixels: number) => void;
  /** The rendition failed to load: its URL may have expired. */
  readonly onStale?: () => void;
}

/**
 * A picture in its place in a frame. It stands there at once with what is known of it: a few colors,
 * its thumbnail, its rendition, the whole, one over the other, so that nothing flashes or jumps.
 */
export function Layers(props: LayersProps) {
  const { shot, size, frame, zoom, turns = 0, whole, onDisplay, onStale } = props;
  const [failed, setFailed] = useState<string>();
  const { width, height } = fitted(size, frame, turns);
  const { scale, x, y } = zoom;
  return (
    <div
      class="shot"
      role="img"
      aria-label={shot.name}
      style={{
        width: `${width}px`,
        height: `${height}px`,
        transform: `translate(${x}px, ${y}px) rotate(${turns * 90}deg) scale(${scale})`,
        ...(shot.colors && { backgroundImage: shot.colors }),
      }}
    >
      {shot.thumb && <Layer src={shot.thumb} />}
      <Layer
        src={shot.display}
        onShown={onDisplay}
        onFail={() => {
          setFailed(shot.display);
          onStale?.();
        }}
      />
      {whole && shot.whole !== undefined && (
        <Layer key={whole.attempt} src={shot.whole} onShown={whole.onShown} onFail={whole.onFail} />
      )}
      {failed === shot.display && !whole && !shot.thumb && (
        <p class="shot-failed">{t('picture.notShown')}</p>
      )}
    </div>
  );
}

interface LayerProps {
  readonly src: string;
  readonly onShown?: ((pixels: number) => void) | undefined;
  readonly onFail?: () => void;
}

/** One file of a picture, unseen until all of it can be painted. */
function Layer({ src, onShown, onFail }: LayerProps) {
  const [ready, setReady] = useState(false);
  return (
    <img
      src={src}
      class={ready ? undefined : 'waiting'}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) => {
        const shown = (): void => {
          setReady(true);
          onShown?.(currentTarget.naturalWidth);
        };
        currentTarget.decode().then(shown, shown);
      }}
      onError={() => {
        setReady(false);
        onFail?.();
      }}
    />
  );
}
