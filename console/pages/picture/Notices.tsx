import { Button } from '../../components/Button';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { wordsOf } from '../../core/problem';
import { hrefOf } from '../../core/router';
import type { Image } from './record';
import type { Trashing } from './use-trash';

interface NoticesProps {
  readonly image: Image | undefined;
  /** Why the image could not be read. */
  readonly problem: unknown;
  readonly again: () => void;
  readonly trash: Trashing;
  /** The path of the page that the viewer was opened from. */
  readonly back: string;
}

/** What has gone wrong, and what can be taken back, over the picture. */
export function Notices({ image, problem, again, trash, back }: NoticesProps) {
  if (problem !== undefined && !image) {
    return (
      <div class="notices alone" role="alert">
        <Empty icon="warning" title={wordsOf(problem).title}>
          <p>{wordsOf(problem).remedy}</p>
          <div class="notices-ways">
            <Button onClick={again}>{t('action.retry')}</Button>
            <a href={hrefOf(back)}>{t('picture.back')}</a>
          </div>
        </Empty>
      </div>
    );
  }
  return (
    <div class="notices">
      <ErrorNote problem={problem} onRetry={again} />
      <ErrorNote problem={trash.problem} />
      {image?.delete_at && <p class="notice">{t('picture.inTrash')}</p>}
      <div class={trash.undoable ? 'notice' : 'unseen'} role="status">
        {trash.undoable && (
          <>
            {t('library.trashed', { count: 1 })}
            <Button variant="quiet" icon="restore" onClick={trash.undo}>
              {t('action.undo')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
