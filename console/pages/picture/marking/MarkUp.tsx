import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { ErrorNote } from '../../../components/ErrorNote';
import { Progress } from '../../../components/Progress';
import { toast } from '../../../components/Toast';
import { number, t } from '../../../core/i18n';
import { shortcutOf } from '../../../core/keys';
import { newKey } from '../../../core/new-key';
import { holdPage } from '../../../core/router';
import { colorOf } from '../../../core/theme';
import { keepWork } from '../../../core/unsent';
import { useSaving } from '../../../core/use-saving';
import type { Access } from '../../library/access';
import { uploadName } from '../../library/download-name';
import { storeVersion } from '../../library/upload/store';
import type { SentFile } from '../../library/upload/store';
import { readImage } from '../record';
import type { Image } from '../record';
import type { Shot } from '../stage/shot';
import type { Zooming } from '../stage/use-zoom';
import { versionsOf } from '../version';
import { readPicture, savedSize, withMarks } from './drawing';
import type { Look, Read } from './drawing';
import { became, inks, marksOf, nothing, redone, undone } from './marks';
import type { Drawn, Ink, Mark } from './marks';
import { MarkTools, toolOf } from './MarkTools';
import type { Pen } from './MarkTools';
import { Surface } from './Surface';
import './marking.css';

export interface MarkUpProps {
  readonly access: Access;
  readonly image: Image;
  /** What the viewer shows, and of which version; the current one without. */
  readonly shot: Shot;
  readonly version: string | undefined;
  readonly onClose: (isSaved: boolean) => void;
}

/** Marks that are not saved; they outlast the session, in the same tab. */
let unsaved: { readonly id: string; readonly name: string; readonly drawn: Drawn } | undefined;
keepWork({
  left: () => (unsaved ? [{ key: unsaved.id, name: unsaved.name }] : []),
  drop: () => void (unsaved = undefined),
});

/** The picture over the whole window, to be drawn on; what is drawn becomes a new version. */
export default function MarkUp({ access, image, shot, version, onClose }: MarkUpProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const keys = useRef<Zooming['onKey']>(null);
  const [look] = useState(lookOfPage);
  const [pen, setPen] = useState<Pen>({ tool: 'pen', ink: 'red', width: 2 });
  const { drawn, setDrawn } = useDrawn(shot.id, uploadName(image));
  const { picture, problem: unread, again } = useRead(access, image.id, version);
  const [asking, setAsking] = useState(false);
  const [share, setShare] = useState<number>();
  const { busy, problem, save } = useSaving();
  const stop = useRef(new AbortController());
  const made = useRef<{ readonly marks: readonly Mark[]; readonly sent: SentFile }>(null);
  const marks = marksOf(drawn);
  const close = (isSaved: boolean): void => {
    unsaved = undefined;
    onClose(isSaved);
  };
  const leave = (): void => {
    if (marks.length > 0) setAsking(true);
    else close(false);
  };
  const store = (): void =>
    save(async () => {
      if (!picture || marks.length === 0) return;
      if (made.current?.marks !== marks) {
        const file = await withMarks(picture, marks, look);
        // The same key for the same marks, so that they are stored once, however often this is tried.
        made.current = { marks, sent: { file: named(image, file), key: newKey(), attempts: 0 } };
      }
      const { sent } = made.current;
      const watch = {
        onAttempt: () => {
          sent.attempts += 1;
          setShare(0);
        },
        onSent: (bytes: number) => setShare(bytes / sent.file.size),
      };
      await storeVersion(image.id, sent, access, watch, stop.current.signal);
      toast(t('markUp.saved'));
      close(true);
    });
  const act = (key: string): boolean => {
    const tool = toolOf(key);
    if (busy && key.startsWith('Ctrl+')) return true;
    if (key === 'Ctrl+z') setDrawn(undone(drawn));
    else if (key === 'Ctrl+Z' || key === 'Ctrl+y') setDrawn(redone(drawn));
    else if (key === 'Ctrl+s') store();
    else if (tool) setPen({ ...pen, tool });
    else if (keys.current?.(key)) return true;
    else if (key === 'Escape') leave();
    else return false;
    return true;
  };
  const latest = useRef({ act, leave });
  latest.current = { act, leave };
  useModal(dialog, latest);
  useEffect(() => () => stop.current.abort(), []);
  const canDraw = picture !== undefined && !busy && !asking;
  return (
    <dialog ref={dialog} class="viewer marking" tabIndex={-1} aria-label={t('markUp.title')}>
      <header class="viewer-bar">
        <Button variant="quiet" icon="close" iconOnly onClick={leave}>
          {t('action.cancel')}
        </Button>
        <div class="viewer-title">
          <h2>{t('markUp.title')}</h2>
        </div>
        <div class="viewer-actions">
          <Steps drawn={drawn} onChange={setDrawn} disabled={!canDraw} />
          <Button
            variant="primary"
            disabled={!picture || !marks.length}
            busy={busy}
            onClick={store}
          >
            {t('action.save')}
          </Button>
        </div>
      </header>
      <Surface
        shot={picture ? { ...shot, display: picture.url, whole: undefined } : shot}
        size={picture?.size ?? shot.size ?? { width: 4, height: 3 }}
        marks={picture ? marks : []}
        look={look}
        pen={canDraw ? pen : undefined}
        onMark={(mark) => setDrawn(became(drawn, [...marks, mark]))}
        keys={keys}
      />
      <div class="notices">
        <ErrorNote problem={unread} onRetry={again} />
        <ErrorNote problem={problem} onRetry={store} />
        <Notice picture={picture} isLoading={!picture && unread === undefined} />
        {busy && <Saving share={share} />}
      </div>
      <MarkTools pen={pen} onChange={setPen} />
      {asking && (
        <ConfirmDialog
          title={t('markUp.discard')}
          text={t('markUp.lost')}
          label={t('upload.discard')}
          act={async () => close(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </dialog>
  );
}

interface StepsProps {
  readonly drawn: Drawn;
  readonly onChange: (drawn: Drawn) => void;
  readonly disabled: boolean;
}

function Steps({ drawn, onChange, disabled }: StepsProps) {
  const { at, states } = drawn;
  const step = (icon: 'undo' | 'redo' | 'clear', next: Drawn, can: boolean) => (
    <Button
      variant="quiet"
      icon={icon}
      iconOnly
      disabled={disabled || !can}
      onClick={() => onChange(next)}
    >
      {t(`markUp.${icon}`)}
    </Button>
  );
  return (
    <>
      {step('undo', undone(drawn), at > 0)}
      {step('redo', redone(drawn), at < states.length - 1)}
      {step('clear', became(drawn, []), marksOf(drawn).length > 0)}
    </>
  );
}

interface NoticeProps {
  readonly picture: Read | undefined;
  readonly isLoading: boolean;
}

/** What there is to know of the picture. */
function Notice({ picture, isLoading }: NoticeProps) {
  if (isLoading) {
    return (
      <p class="notice" role="status">
        {t('picture.wholeLoading')}
      </p>
    );
  }
  const saved = picture && savedSize(picture.size);
  if (!saved || saved.width === picture.size.width) return null;
  const [width, height] = [number(saved.width), number(saved.height)];
  return <p class="notice">{t('markUp.smaller', { width, height })}</p>;
}

function Saving({ share }: { readonly share: number | undefined }) {
  return (
    <div class="notice mark-saving" role="status">
      {t('markUp.saving')}
      <Progress label={t('markUp.saving')} value={share} />
    </div>
  );
}

/** A modal dialog that keys and the button Back speak to. */
function useModal(
  dialog: { readonly current: HTMLDialogElement | null },
  latest: {
    readonly current: {
      readonly act: (key: string) => boolean;
      readonly leave: () => void;
    };
  },
): void {
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('.frame')?.focus();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isOther = dialog.current?.querySelector('dialog[open]') !== null;
      const isField = event.target instanceof HTMLInputElement;
      if (event.defaultPrevented || isOther || isField || event.altKey) return;
      const isControl = event.ctrlKey || event.metaKey;
      const key = shortcutOf(event);
      if (latest.current.act(isControl ? `Ctrl+${key}` : key)) event.preventDefault();
    };
    const cancel = (event: Event): void => {
      event.preventDefault();
      latest.current.leave();
    };
    const node = dialog.current;
    document.addEventListener('keydown', press);
    node?.addEventListener('cancel', cancel);
    const letGo = holdPage(() => latest.current.leave());
    return () => {
      document.removeEventListener('keydown', press);
      node?.removeEventListener('cancel', cancel);
      letGo();
    };
  }, []);
}

/** What is drawn on a picture; it is asked for before the tab is closed. */
function useDrawn(id: string, name: string) {
  const [drawn, setState] = useState(unsaved?.id === id ? unsaved.drawn : nothing);
  const setDrawn = (next: Drawn): void => {
    unsaved = marksOf(next).length > 0 ? { id, name, drawn: next } : undefined;
    setState(next);
  };
  return { drawn, setDrawn };
}

interface Reading {
  readonly picture?: Read;
  readonly problem?: unknown;
}

/** Reads a version in full size, from an address that has not expired. */
function useRead(access: Access, id: string, version: string | undefined) {
  const [state, setState] = useState<Reading>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let url: string | undefined;
    const read = async (): Promise<Read> => {
      const versions = versionsOf(await readImage(access, id, signal));
      const wanted = versions.find((one) => one.id === version) ?? versions.at(-1);
      return readPicture(wanted?.whole ?? wanted?.url ?? '', signal);
    };
    setState({});
    read().then(
      (picture) => {
        ({ url } = picture);
        if (signal.aborted) URL.revokeObjectURL(url);
        else setState({ picture });
      },
      (problem: unknown) => signal.aborted || setState({ problem }),
    );
    return () => {
      stop.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [turn]);
  return { ...state, again: () => setTurn((n) => n + 1) };
}

const lookOfPage = (): Look => ({
  inks: Object.fromEntries(inks.map((ink) => [ink, colorOf(`--ink-${ink}`)])) as Record<
    Ink,
    string
  >,
  font: getComputedStyle(document.body).fontFamily,
});

/** The file under the name of what was uploaded. */
function named(image: Image, file: Blob): File {
  const extension = file.type === 'image/png' ? 'png' : 'jpg';
  return new File([file], `${uploadName(image).replace(/\.\w+$/, '')}.${extension}`, {
    type: file.type,
  });
}
