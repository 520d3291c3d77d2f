import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { useModule } from '../../core/use-module';
import type { Access } from '../library/access';
import type { MarkUpProps } from './marking/MarkUp';
import { Panel } from './panel/Panel';
import type { Image } from './record';
import { Compare } from './stage/Compare';
import type { Comparison } from './stage/Compare';
import type { Swipe } from './stage/pointers';
import { listedShotOf, shotOf, shotOfVersion } from './stage/shot';
import { Stage } from './stage/Stage';
import type { Zooming } from './stage/use-zoom';
import type { Turns } from './stage/zoom';
import { isSheet } from './use-details';
import type { FullScreen } from './use-full-screen';
import type { Neighbors } from './use-neighbors';
import { useRenewal } from './use-picture';
import { versionsOf } from './version';
import type { OnKey } from './Viewer';

interface OpenedProps {
  readonly access: Access;
  /** As far as it is known: lists do not tell all. */
  readonly listed: Image | undefined;
  readonly image: Image | undefined;
  /** Receives what handles keys first. */
  readonly keys: RefObject<OnKey | null>;
  readonly room: RefObject<HTMLElement | null>;
  readonly full: FullScreen;
  readonly details: boolean;
  readonly onDetails: () => void;
  readonly neighbors: Neighbors | undefined;
  readonly onOpen: (other: Image | undefined) => void;
  /** The image has changed. */
  readonly onChange: () => void;
  /** Whether it is drawn on. */
  readonly marking: boolean;
  readonly onMarked: () => void;
}

/** How an image is looked at until another one is opened. */
interface Looking {
  readonly id: string | undefined;
  readonly turns: Turns;
  /** The version that is shown, if not the current one. */
  readonly version?: string | undefined;
  readonly comparison?: Comparison | undefined;
}

const quarter = (turns: Turns): Turns => ((turns + 1) % 4) as Turns;

/** The open image, alone or beside another one, and the panel about it. */
export function Opened(props: OpenedProps) {
  const { access, listed, image, keys, full, details, onDetails, neighbors, onOpen } = props;
  const id = listed?.id;
  const [kept, setLooking] = useState<Looking>({ id, turns: 0 });
  const looking: Looking = kept.id === id ? kept : { id, turns: 0 };
  const { turns, version, comparison } = looking;
  const look = (change: Partial<Looking>): void => setLooking({ ...looking, ...change });
  const zoomKeys = useRef<Zooming['onKey']>(null);
  const stale = useRenewal(id, props.onChange);
  const endComparison = (): void => look({ comparison: undefined });
  keys.current = (key) => {
    if (zoomKeys.current?.(key)) return true;
    if (key === 'r' && !comparison) look({ turns: quarter(turns) });
    else if (key === 'Escape' && comparison) endComparison();
    else return comparison !== undefined && key.startsWith('Arrow');
    return true;
  };
  useEffect(() => () => void (keys.current = null), []);
  // What had the focus may have gone with what it was in.
  useEffect(() => props.room.current?.focus(), [comparison !== undefined, full.isFull]);
  // The element stays: the film strip after it would lose its position if it were moved.
  if (!listed) return <div class="opened" />;
  const versions = image ? versionsOf(image) : [];
  const shots = versions.map(shotOfVersion);
  const current = versions.at(-1)?.id;
  const old = version === current ? undefined : shots.find((shot) => shot.id === version);
  /** For what is chosen in the panel, which makes room for it. */
  const show = (change: Partial<Looking>): void => {
    look(change);
    if (isSheet()) onDetails();
  };
  /** Sideways to another image; the sheet is pulled up, and pushed down. */
  const swipe = (to: Swipe): void => {
    if (to === 'next' || to === 'previous') onOpen(neighbors?.[to]);
    else if (isSheet() && details === (to === 'down')) onDetails();
  };
  const compareVersion = (chosen: string): void => {
    const left = chosen === current ? versions.at(-2)?.id : chosen;
    if (left !== undefined && current !== undefined) {
      show({ comparison: { shots, left, right: current } });
    }
  };
  const compare = (others: readonly Image[], chosen: string): void => {
    const all = [...others.map((other) => listedShotOf(access, other)), shotOf(listed)];
    const inOrder = all.toSorted((a, b) => (a.moment < b.moment ? -1 : 1));
    const pair = inOrder.filter((shot) => shot.id === chosen || shot.id === listed.id);
    const [left, right] = [pair[0]?.id ?? '', pair[1]?.id ?? ''];
    show({ comparison: { shots: inOrder, left, right } });
  };
  const marked = (isSaved: boolean): void => {
    props.onMarked();
    if (!isSaved) return;
    look({ version: undefined, comparison: undefined });
    props.onChange();
  };
  return (
    <div class="opened">
      {comparison ? (
        <Compare
          comparison={comparison}
          onChange={(next) => look({ comparison: next })}
          onClose={endComparison}
          keys={zoomKeys}
        />
      ) : (
        <Stage
          shot={old ?? shotOf(listed)}
          turns={turns}
          onTurn={() => look({ turns: quarter(turns) })}
          onSwipe={swipe}
          onStale={stale}
          keys={zoomKeys}
          tools={<FullScreenTool full={full} />}
        >
          {neighbors && <Steps neighbors={neighbors} onOpen={onOpen} />}
        </Stage>
      )}
      {details && image && (
        <Panel
          access={access}
          image={image}
          onChange={props.onChange}
          versions={versions}
          shown={old?.id ?? current ?? ''}
          onShow={(chosen) => show({ version: chosen, comparison: undefined })}
          onCompareVersion={compareVersion}
          onCompare={compare}
          onClose={onDetails}
        />
      )}
      {details && !image && <div class="panel" />}
      {props.marking && image && (
        <Marking
          access={access}
          image={image}
          shot={old ?? shotOf(listed)}
          version={old?.id}
          onClose={marked}
        />
      )}
    </div>
  );
}

const loadMarkUp = () => import('./marking/MarkUp');

/** Loaded when a picture is first drawn on. */
function Marking(props: MarkUpProps) {
  const { Component, problem } = useModule(loadMarkUp);
  if (Component) return <Component {...props} />;
  return (
    <div class="notices">
      <ErrorNote problem={problem} onRetry={() => location.reload()} />
    </div>
  );
}

function FullScreenTool({ full: { isFull, toggle } }: { readonly full: FullScreen }) {
  if (!toggle) return null;
  return (
    <Button variant="quiet" icon={isFull ? 'shrink' : 'expand'} iconOnly onClick={toggle}>
      {isFull ? t('picture.endFullScreen') : t('picture.fullScreen')}
    </Button>
  );
}

interface StepsProps {
  readonly neighbors: Neighbors;
  readonly onOpen: (other: Image | undefined) => void;
}

function Steps({ neighbors: { previous, next }, onOpen }: StepsProps) {
  return (
    <>
      <div class="stage-step previous">
        <Button
          disabled={previous === undefined}
          icon="back"
          iconOnly
          onClick={() => onOpen(previous)}
        >
          {t('picture.previous')}
        </Button>
      </div>
      <div class="stage-step next">
        <Button disabled={next === undefined} icon="chevron" iconOnly onClick={() => onOpen(next)}>
          {t('picture.next')}
        </Button>
      </div>
    </>
  );
}
