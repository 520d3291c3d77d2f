import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { Select } from '../../../components/Select';
import { t } from '../../../core/i18n';
import { Layers } from './Layers';
import type { Shot } from './shot';
import { useAsked, useSizeOf } from './shot';
import { Tools } from './Tools';
import { useSize } from './use-size';
import { useWhole } from './use-whole';
import { useZoom } from './use-zoom';
import type { Zooming } from './use-zoom';
import { extentOf } from './zoom';
import type { Box, Zoom } from './zoom';

/** Two pictures to be compared, out of several. */
export interface Comparison {
  readonly shots: readonly Shot[];
  readonly left: string;
  readonly right: string;
}

interface CompareProps {
  readonly comparison: Comparison;
  readonly onChange: (comparison: Comparison) => void;
  readonly onClose: () => void;
  /** Receives what keys do with the pictures. */
  readonly keys: RefObject<Zooming['onKey'] | null>;
}

const unknown: Box = { width: 4, height: 3 };
const none: Box = { width: 0, height: 0 };
const doNothing = (): void => undefined;

/** Two pictures, beside each other or one over the other with a movable line; zoomed as one. */
export function Compare({ comparison, onChange, onClose, keys }: CompareProps) {
  const { shots, left, right } = comparison;
  const [beside, setBeside] = useState(true);
  const [share, setShare] = useState(50);
  const [measured, setMeasured] = useState({ size: unknown, frame: none });
  const area = useRef<HTMLDivElement>(null);
  const find = (id: string): Shot | undefined => shots.find((shot) => shot.id === id);
  const [one, other] = [find(left), find(right)];
  const extent = extentOf(measured.size, measured.frame, 0, devicePixelRatio);
  // Another picture in one of the halves keeps what is looked at.
  const zooming = useZoom(area, '', extent, doNothing);
  keys.current = zooming.onKey;
  const { zoom, toggle } = zooming;
  const options = shots.map(({ id, label }) => ({ value: id, label }));
  const clip = (inset: string) => (beside ? {} : { clipPath: inset });
  return (
    <div class="stage compare">
      <header class="compare-head">
        <Select
          label={t('picture.left')}
          bare
          value={left}
          options={options}
          onChange={(id) => onChange({ ...comparison, left: id })}
        />
        <Select
          label={t('picture.right')}
          bare
          value={right}
          options={options}
          onChange={(id) => onChange({ ...comparison, right: id })}
        />
        <Button variant="quiet" icon="close" iconOnly onClick={onClose}>
          {t('picture.endComparison')}
        </Button>
      </header>
      <div
        ref={area}
        class={`frames ${beside ? 'beside' : 'over'} ${zoom.scale > 1 ? 'close' : ''}`}
        role="group"
        aria-label={t('picture.comparison')}
        tabIndex={0}
        onDblClick={() => toggle({ x: 0, y: 0 })}
      >
        <Half
          key={`left ${left}`}
          shot={one}
          zoom={zoom}
          style={clip(`inset(0 ${100 - share}% 0 0)`)}
          onMeasured={(size, frame) => setMeasured({ size, frame })}
        />
        <Half
          key={`right ${right}`}
          shot={other}
          zoom={zoom}
          style={clip(`inset(0 0 0 ${share}%)`)}
        />
        {!beside && <div class="compare-line" style={{ insetInlineStart: `${share}%` }} />}
      </div>
      <div class="stage-foot">
        {!beside && (
          <input
            type="range"
            class="compare-divide"
            min={0}
            max={100}
            value={share}
            aria-label={t('picture.divide')}
            onInput={({ currentTarget }) => setShare(currentTarget.valueAsNumber)}
          />
        )}
        <Tools zooming={zooming} real={extent.real}>
          <Button
            variant="quiet"
            icon={beside ? 'divide' : 'beside'}
            iconOnly
            onClick={() => setBeside(!beside)}
          >
            {beside ? t('picture.oneOverOther') : t('picture.sideBySide')}
          </Button>
        </Tools>
      </div>
    </div>
  );
}

interface HalfProps {
  readonly shot: Shot | undefined;
  readonly zoom: Zoom;
  readonly style: { readonly clipPath?: string };
  readonly onMeasured?: (size: Box, frame: Box) => void;
}

function Half({ shot, zoom, style, onMeasured }: HalfProps) {
  const [node, setNode] = useState<HTMLDivElement | null>(null);
  return (
    <div ref={setNode} class="frame" style={style}>
      {node && shot && <Inside node={node} shot={shot} zoom={zoom} onMeasured={onMeasured} />}
    </div>
  );
}

interface InsideProps extends Omit<HalfProps, 'style' | 'onMeasured'> {
  readonly shot: Shot;
  readonly node: HTMLDivElement;
  readonly onMeasured: ((size: Box, frame: Box) => void) | undefined;
}

function Inside({ node, shot, zoom, onMeasured }: InsideProps) {
  const size = useSizeOf(shot);
  const frame = useSize({ current: node });
  useEffect(() => {
    if (size) onMeasured?.(size, frame);
  }, [size?.width, size?.height, frame]);
  const close = zoom.scale > 1;
  const [wanted, setWanted] = useState(false);
  if (close && !wanted) setWanted(true);
  const full = useAsked(shot, wanted);
  const whole = useWhole(wanted ? full.whole : undefined);
  if (!size) return null;
  return (
    <Layers shot={full} size={size} frame={frame} zoom={zoom} whole={wanted ? whole : undefined} />
  );
}
