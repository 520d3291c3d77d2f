import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/i18n';
import { Layers } from '../stage/Layers';
import type { Stroke } from '../stage/pointers';
import type { Shot } from '../stage/shot';
import { Tools } from '../stage/Tools';
import { useSize } from '../stage/use-size';
import { useZoom } from '../stage/use-zoom';
import type { Zooming } from '../stage/use-zoom';
import { extentOf } from '../stage/zoom';
import type { Box } from '../stage/zoom';
import { draw } from './drawing';
import type { Look } from './drawing';
import type { Pen } from './MarkTools';
import { extended, isSeen, lettersOf, lineOf, placementOf, pointAt } from './marks';
import type { Mark, Placement, Point } from './marks';

interface SurfaceProps {
  readonly shot: Shot;
  readonly size: Box;
  readonly marks: readonly Mark[];
  readonly look: Look;
  /** Undefined while nothing can be drawn. */
  readonly pen: Pen | undefined;
  readonly onMark: (mark: Mark) => void;
  /** Receives what keys do here. */
  readonly keys: RefObject<Zooming['onKey'] | null>;
}

const doNothing = (): void => undefined;

/** The picture with its marks, on which a pointer draws; two fingers and the wheel zoom. */
export function Surface({ shot, size, marks, look, pen, onMark, keys }: SurfaceProps) {
  const area = useRef<HTMLDivElement>(null);
  const frame = useSize(area);
  const extent = extentOf(size, frame, 0, devicePixelRatio);
  const [drawing, setDrawing] = useState<Mark>();
  const [typing, setTyping] = useState<Mark>();
  // Events come faster than the page is drawn.
  const latest = useRef<Mark | undefined>(undefined);
  const become = (mark: Mark | undefined): void => {
    latest.current = mark;
    setDrawing(mark);
  };
  const begun = (at: Point): Mark | undefined =>
    pen && pen.tool !== 'move'
      ? { tool: pen.tool, ink: pen.ink, width: lineOf(size, pen.width), points: [at] }
      : undefined;
  const stroke: Stroke = {
    begin: (event) => {
      if (typing) area.current?.focus();
      else become(begun(pointOf(event)));
      return typing !== undefined || latest.current !== undefined;
    },
    go: (event) => {
      const all = event.getCoalescedEvents();
      const way = all.length > 0 ? all : [event];
      if (latest.current) {
        become(way.reduce((mark, each) => extended(mark, pointOf(each)), latest.current));
      }
    },
    end: (isKept) => {
      const mark = latest.current;
      become(undefined);
      if (isKept && mark?.tool === 'text') setTyping(mark);
      else if (isKept && mark && isSeen(mark)) onMark(mark);
    },
  };
  const zooming = useZoom(area, shot.id, extent, doNothing, stroke);
  const placement = placementOf(size, extent, zooming.zoom);
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = area.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return pointAt(placement, { x: clientX - left, y: clientY - top });
  };
  keys.current = (key) => {
    if (key === 'Escape' && latest.current) become(undefined);
    else if (key === 'Enter' && pen?.tool === 'text' && document.activeElement === area.current) {
      setTyping(begun(pointAt(placement, { x: frame.width / 2, y: frame.height / 2 })));
    } else return zooming.onKey(key);
    return true;
  };
  return (
    <>
      <div class="stage">
        <div
          ref={area}
          class={pen && pen.tool !== 'move' ? 'frame drawing' : 'frame close'}
          role="group"
          aria-label={t('markUp.surface')}
          tabIndex={0}
          // What is being written keeps the focus.
          onMouseDown={(event) =>
            event.target instanceof HTMLInputElement || (typing && event.preventDefault())
          }
        >
          <Layers key={shot.id} shot={shot} size={size} frame={frame} zoom={zooming.zoom} />
          <Marks
            marks={drawing && drawing.tool !== 'text' ? [...marks, drawing] : marks}
            {...{ look, placement, frame, size }}
          />
          {typing && (
            <Writing
              mark={typing}
              placement={placement}
              onInput={(text) => setTyping({ ...typing, text })}
              onDone={() => area.current?.focus()}
              onLeft={(isKept) => {
                setTyping(undefined);
                if (isKept && isSeen(typing)) onMark(typing);
              }}
            />
          )}
        </div>
      </div>
      <Tools zooming={zooming} real={extent.real} />
    </>
  );
}

interface MarksProps {
  readonly marks: readonly Mark[];
  readonly look: Look;
  readonly placement: Placement;
  readonly frame: Box;
  readonly size: Box;
}

/** Marks where they lie on the picture; beyond its edges they are not seen, as they will be saved. */
function Marks({ marks, look, placement: { by, x, y }, frame, size }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const on = canvas.current?.getContext('2d');
    if (!on) return;
    const ratio = devicePixelRatio;
    // Also empties it.
    on.canvas.width = frame.width * ratio;
    on.canvas.height = frame.height * ratio;
    on.setTransform(by * ratio, 0, 0, by * ratio, x * ratio, y * ratio);
    on.rect(0, 0, size.width, size.height);
    on.clip();
    draw(on, marks, look);
  });
  return <canvas ref={canvas} class="mark-canvas" />;
}

interface WritingProps {
  readonly mark: Mark;
  readonly placement: Placement;
  readonly onInput: (text: string) => void;
  /** A key has ended it: what is around it gets the focus. */
  readonly onDone: () => void;
  /** It no longer has the focus. */
  readonly onLeft: (isKept: boolean) => void;
}

/** No text is longer, in characters. */
const mostText = 200;
/** Smaller letters could not be read while they are written, and phones would zoom in. */
const leastLetters = 16;

/** A field where a text will be. */
function Writing({ mark, placement: { by, x, y }, onInput, onDone, onLeft }: WritingProps) {
  const field = useRef<HTMLInputElement>(null);
  const isKept = useRef(true);
  useLayoutEffect(() => field.current?.focus(), []);
  const [at = { x: 0, y: 0 }] = mark.points;
  return (
    <input
      ref={field}
      class={`mark-text mark-ink ${mark.ink}`}
      aria-label={t('markUp.text')}
      maxLength={mostText}
      autoComplete="off"
      spellcheck={false}
      value={mark.text ?? ''}
      style={{
        left: `${at.x * by + x}px`,
        top: `${at.y * by + y}px`,
        fontSize: `${Math.max(leastLetters, lettersOf(mark.width) * by)}px`,
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onBlur={() => onLeft(isKept.current)}
      onKeyDown={(event) => {
        // Enter also ends a syllable, in Korean among others.
        if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        isKept.current = event.key === 'Enter';
        onDone();
      }}
    />
  );
}
