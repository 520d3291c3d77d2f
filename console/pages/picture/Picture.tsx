import { useEffect, useRef, useState } from 'preact/hooks';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { go, goBack, path, query } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useHeld } from '../holds/held';
import { LinkDialog } from '../links/LinkDialog';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { libraryOf } from '../library/library';
import { queryOf, viewOf } from '../library/view';
import { Filmstrip } from './Filmstrip';
import { Notices } from './Notices';
import { Opened } from './Opened';
import { momentOf } from './stage/shot';
import { TopBar } from './TopBar';
import { useDetails } from './use-details';
import { useFullScreen } from './use-full-screen';
import { useNeighbors, usePreloading } from './use-neighbors';
import type { Image } from './record';
import { usePicture } from './use-picture';
import { Viewer } from './Viewer';
import type { OnKey } from './Viewer';
import './picture.css';

/** One image over the whole window, with all its details. */
export default function Picture({ params }: PageProps) {
  if (session.value === undefined) return null;
  const access = accessTo(params.user);
  return <Room key={access.userId} access={access} id={params.image ?? ''} />;
}

function Room({ access, id }: { readonly access: Access; readonly id: string }) {
  const library = libraryOf(access);
  const { image: read, problem, again } = usePicture(access, id);
  const { neighbors, open, pathOf, back } = useWays(access, id);
  const room = useRef<HTMLDivElement>(null);
  const keys = useRef<OnKey>(null);
  const [sharing, setSharing] = useState(false);
  const [marking, setMarking] = useState(false);
  const [details, toggleDetails] = useDetails();
  const full = useFullScreen(room);
  const change = (): void => {
    again();
    library.refresh();
  };
  const image = read ?? neighbors?.listed;
  const heldBy = useHeld(access, library.tree);
  const setTrashed = (into: boolean): void => {
    if (!image) return;
    const from = `${path.value}${query.value}`;
    const after = (undone: boolean): void => {
      if (!room.current) return; // has been left
      if (into && undone) go(from, { replace: true });
      else if (into) open(neighbors?.next ?? neighbors?.previous);
      again();
    };
    const of = { images: [image.id] };
    if (into) library.actions.trash(of, after);
    else library.actions.restore(of, after);
  };
  const leave = (): void => goBack(back);
  const askDeletion = (): void => {
    if (!image) return;
    const after = (): void => {
      if (!room.current) return; // has been left
      const other = neighbors?.next ?? neighbors?.previous;
      if (other === undefined) leave();
      else open(other);
    };
    library.actions.ask({ what: 'deletion', ids: [image.id], after });
  };
  const markUp = read && !read.delete_at ? () => setMarking(true) : undefined;
  const acts = new Map<string, () => void>([
    ['Escape', leave],
    ['ArrowRight', () => open(neighbors?.next)],
    ['ArrowLeft', () => open(neighbors?.previous)],
    ['i', toggleDetails],
    ['f', () => full.toggle?.()],
    ['m', () => markUp?.()],
    ['Delete', () => (image?.delete_at ? askDeletion() : setTrashed(true))],
  ]);
  const press: OnKey = (key) => {
    if (keys.current?.(key)) return true;
    acts.get(key)?.();
    return acts.has(key);
  };
  const title = image ? time(momentOf(image)) : t('picture.title');
  return (
    <Viewer name={title} room={room} onKey={press} onLeave={leave}>
      <TopBar
        title={title}
        image={image}
        neighbors={neighbors}
        back={back}
        onLeave={leave}
        details={details}
        onDetails={toggleDetails}
        onShare={() => setSharing(true)}
        onMarkUp={markUp}
        onTrash={setTrashed}
        onDelete={askDeletion}
      />
      <Opened
        access={access}
        listed={image}
        image={read}
        keys={keys}
        room={room}
        full={full}
        details={details}
        onDetails={toggleDetails}
        neighbors={neighbors}
        onOpen={open}
        onChange={change}
        marking={marking}
        onMarked={() => setMarking(false)}
      />
      <Notices
        image={image}
        problem={problem}
        again={again}
        failure={library.actions.problem.value}
        hold={image && heldBy(image)}
        back={back}
      />
      {neighbors && <Filmstrip neighbors={neighbors} pathOf={pathOf} onOpen={open} />}
      {sharing && image && (
        <LinkDialog
          access={access}
          of={{ images: [image.id] }}
          onClose={(made) => {
            setSharing(false);
            if (made) library.actions.linked(made);
          }}
        />
      )}
    </Viewer>
  );
}

/** The ways from an image: to its neighbors, and back to where it was opened. */
function useWays(access: Access, id: string) {
  const neighbors = useNeighbors(libraryOf(access), id);
  usePreloading(neighbors);
  const latest = useRef(id);
  latest.current = id;
  useEffect(() => () => returnFocus(latest.current), []);
  const above = path.value.slice(0, path.value.indexOf('/images/'));
  const pathOf = (other: Image): string =>
    `${above}/images/${other.id}${neighbors?.queryOf(other) ?? ''}`;
  const open = (other: Image | undefined): void => {
    if (other) go(pathOf(other), { replace: true });
  };
  return { neighbors, open, pathOf, back: `${above}${queryOf(viewOf(query.value))}` };
}

/**
 * Gives the focus back where the viewer was opened, once that page is there: to the list, which knows
 * the image, or to the link to it. A reader who presses anything before keeps their own.
 */
function returnFocus(id: string): void {
  const stop = new AbortController();
  const focus = (): void => {
    const link = document.querySelector<HTMLElement>(`main a[href*="/images/${CSS.escape(id)}"]`);
    const origin = document.querySelector<HTMLElement>('main [role=grid]') ?? link;
    if (!origin) return;
    stop.abort();
    origin.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focus);
  stop.signal.addEventListener('abort', () => observer.disconnect());
  for (const event of ['keydown', 'pointerdown']) {
    addEventListener(event, () => stop.abort(), { capture: true, signal: stop.signal });
  }
  observer.observe(document.body, { childList: true, subtree: true });
}
