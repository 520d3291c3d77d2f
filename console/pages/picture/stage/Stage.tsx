import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { t } from '../../../core/i18n';
import { Layers } from './Layers';
import type { Swipe } from './pointers';
import type { Shot } from './shot';
import { useSizeOf } from './shot';
import { Tools } from './Tools';
import { useSize } from './use-size';
import type { Whole } from './use-whole';
import { useWhole } from './use-whole';
import { useZoom } from './use-zoom';
import type { Zooming } from './use-zoom';
import { extentOf } from './zoom';
import type { Box, Turns } from './zoom';

interface StageProps {
  readonly shot: Shot;
  readonly turns: Turns;
  readonly onTurn: () => void;
  readonly onSwipe: (to: Swipe) => void;
  readonly onStale: () => void;
  /** Receives what keys do with the picture. */
  readonly keys: RefObject<Zooming['onKey'] | null>;
  /** Further tools. */
  readonly tools?: ComponentChildren;
  /** What lies over the picture. */
  readonly children?: ComponentChildren;
}

const unknown: Box = { width: 4, height: 3 };

/** One picture that can be zoomed, moved and turned. */
export function Stage(props: StageProps) {
  const { shot, turns, onTurn, onSwipe, onStale, keys, tools, children } = props;
  const size = useSizeOf(shot);
  const area = useRef<HTMLDivElement>(null);
  const frame = useSize(area);
  const extent = extentOf(size ?? unknown, frame, turns, devicePixelRatio);
  const zooming = useZoom(area, shot.id, extent, onSwipe);
  const { zoom, pull, toggle } = zooming;
  keys.current = zooming.onKey;
  const [rendered, setRendered] = useState<{ readonly id: string; readonly pixels: number }>();
  const has = rendered?.id === shot.id ? rendered.pixels : Infinity;
  const wanted = useWanted(shot.id, lacks(size, has, extent.shown, zoom.scale), zoom.scale > 1);
  const whole = useWhole(wanted ? shot.whole : undefined);
  return (
    <div class="stage">
      <div
        ref={area}
        class={zoom.scale > 1 ? 'frame close' : 'frame'}
        role="group"
        aria-label={t('picture.viewer')}
        tabIndex={0}
        onDblClick={({ currentTarget, clientX, clientY }) => {
          const { left, top, width, height } = currentTarget.getBoundingClientRect();
          toggle({ x: clientX - left - width / 2, y: clientY - top - height / 2 });
        }}
      >
        {size && (
          <Layers
            key={shot.id}
            shot={shot}
            size={size}
            frame={frame}
            zoom={{ ...zoom, x: zoom.x + pull }}
            turns={turns}
            whole={wanted ? whole : undefined}
            onDisplay={(pixels) => setRendered({ id: shot.id, pixels })}
            onStale={onStale}
          />
        )}
      </div>
      {children}
      <div class="stage-foot">
        {wanted && shot.whole !== undefined && <Progress whole={whole} close={zoom.scale > 1} />}
        <Tools zooming={zooming} real={extent.real}>
          <Button variant="quiet" icon="rotate" iconOnly onClick={onTurn}>
            {t('picture.rotate')}
          </Button>
          {tools}
        </Tools>
      </div>
    </div>
  );
}

/** Whether the screen shows more pixels than a rendition of a width has, which the picture has. */
function lacks(size: Box | undefined, width: number, shown: Box, scale: number): boolean {
  if (!size || width >= size.width) return false;
  const seen = Math.max(shown.width, shown.height) * scale * devicePixelRatio;
  return seen > (Math.max(size.width, size.height) * width * 1.05) / size.width;
}

/** Milliseconds for which a picture is looked at before the whole of it is asked for unzoomed. */
const restMs = 400;

/** Whether the whole picture is wanted; once it is, it stays. */
function useWanted(id: string, isLacking: boolean, isClose: boolean): boolean {
  const [wanted, setWanted] = useState<string>();
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), restMs);
    return () => clearTimeout(timer);
  }, [id]);
  if (isLacking && (rested === id || isClose) && wanted !== id) setWanted(id);
  return wanted === id;
}

/** How the whole picture is coming, as far as it concerns the reader. */
function Progress({ whole, close }: { readonly whole: Whole; readonly close: boolean }) {
  const { course, again } = whole;
  const words = {
    loading: close ? t('picture.wholeLoading') : '',
    busy: t('picture.wholeBusy'),
    failed: t('picture.wholeFailed'),
    shown: '',
  }[course];
  return (
    <div class={words ? 'stage-note' : 'unseen'} role="status">
      {words}
      {(course === 'busy' || course === 'failed') && (
        <Button variant="quiet" onClick={again}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}
