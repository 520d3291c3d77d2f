import { Button } from '../../components/Button';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { mayPass, wordsOf } from '../../core/problem';
import { hrefOf } from '../../core/router';
import type { Hold } from '../holds/holds';
import type { Image } from './record';

interface NoticesProps {
  readonly image: Image | undefined;
  /** Why the image could not be read. */
  readonly problem: unknown;
  readonly again: () => void;
  /** Why something that the reader did to it failed. */
  readonly failure: unknown;
  readonly hold: Hold | undefined;
  /** The path of the page that the viewer was opened from. */
  readonly back: string;
}

/** What has gone wrong, over the picture. */
export function Notices({ image, problem, again, failure, hold, back }: NoticesProps) {
  if (problem !== undefined && !image) {
    return (
      <div class="notices alone" role="alert">
        <Empty icon="warning" title={wordsOf(problem).title}>
          {wordsOf(problem).remedy && <p>{wordsOf(problem).remedy}</p>}
          <div class="notices-ways">
            {mayPass(problem) && <Button onClick={again}>{t('action.retry')}</Button>}
            <a href={hrefOf(back)}>{t('picture.back')}</a>
          </div>
        </Empty>
      </div>
    );
  }
  return (
    <div class="notices">
      <ErrorNote problem={problem} onRetry={again} />
      <ErrorNote problem={failure} />
      {hold && <p class="notice">{t('picture.held', { reason: hold.reason })}</p>}
      {image?.delete_at && <p class="notice">{t('picture.inTrash')}</p>}
    </div>
  );
}
