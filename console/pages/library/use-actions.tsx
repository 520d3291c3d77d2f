import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toast } from '../../components/Toast';
import { t } from '../../core/i18n';
import * as requests from './actions';
import type { Outcome } from './actions';
import { saveArchive } from './archive';
import type { Library } from './library';
import type { Folder, Item } from './listing';
import { MoveDialog } from './MoveDialog';
import { NameDialog } from './NameDialog';
import { root } from './tree/tree';
import type { View } from './view';

/** The actions on folders and images. */
export interface Actions {
  readonly move: (items: readonly Item[], to: string) => void;
  /** Asks for the destination. */
  readonly choosePlace: (items: readonly Item[]) => void;
  readonly trash: (items: readonly Item[]) => void;
  readonly restore: (items: readonly Item[]) => void;
  readonly download: (items: readonly Item[]) => void;
  readonly rename: (folder: Folder) => void;
  readonly createFolder: () => void;
  readonly busy: boolean;
  /** The open dialog, if any. */
  readonly dialog: JSX.Element | undefined;
}

type Asking =
  | { readonly what: 'place'; readonly items: readonly Item[] }
  | { readonly what: 'name'; readonly folder?: Folder };

export function useActions(
  library: Library,
  view: View,
  onProblem: (problem: unknown) => void,
): Actions {
  const { access } = library;
  const [working, setWorking] = useState(0);
  const [asking, setAsking] = useState<Asking>();
  const run = (work: () => Promise<void>): void => {
    onProblem(undefined);
    setWorking((n) => n + 1);
    void work()
      .catch(onProblem)
      .finally(() => setWorking((n) => n - 1));
  };
  /** Applies an action to several items, then reports the outcome. */
  const runAll = (work: Promise<Outcome>, said: (done: number) => string): void =>
    run(async () => {
      const { done, failed, problem } = await work;
      library.refresh({ folders: true });
      if (done > 0) toast(said(done));
      if (failed > 0) throw problem;
    });
  const move = (items: readonly Item[], to: string): void =>
    runAll(requests.move(access, items, to), (count) => t('library.moved', { count }));
  const named = async (title: string): Promise<void> => {
    const folder = asking?.what === 'name' ? asking.folder : undefined;
    if (folder) await requests.rename(access, folder.id, title);
    else await requests.createFolder(access, view.folder ?? root, title);
    library.refresh({ folders: true });
  };
  return {
    busy: working > 0,
    move,
    choosePlace: (items) => setAsking({ what: 'place', items }),
    trash: (items) =>
      runAll(requests.trash(access, items), (count) => t('library.trashed', { count })),
    restore: (items) =>
      runAll(requests.trash(access, items, false), (count) => t('library.restored', { count })),
    download: (items) =>
      run(async () => {
        await saveArchive(access, items);
        toast(t('library.downloaded'));
      }),
    rename: (folder) => setAsking({ what: 'name', folder }),
    createFolder: () => setAsking({ what: 'name' }),
    dialog: asking && (
      <Ask
        asking={asking}
        library={library}
        onClose={() => setAsking(undefined)}
        onMove={move}
        onName={named}
      />
    ),
  };
}

interface AskProps {
  readonly asking: Asking;
  readonly library: Library;
  readonly onClose: () => void;
  readonly onMove: Actions['move'];
  readonly onName: (title: string) => Promise<void>;
}

function Ask({ asking, library, onClose, onMove, onName }: AskProps) {
  if (asking.what === 'place') {
    const { items } = asking;
    const choose = (id: string): void => {
      onClose();
      onMove(items, id);
    };
    return (
      <MoveDialog tree={library.tree} count={items.length} onClose={onClose} onChoose={choose} />
    );
  }
  return <NameDialog title={asking.folder?.title} onClose={onClose} onName={onName} />;
}
