import { t } from '../core/i18n';
import { Problem, wordsOf } from '../core/problem';
import { Button } from './Button';
import { Icon } from './Icon';

interface ErrorNoteProps {
  readonly problem: unknown;
  /** Tries again what went wrong; offered where that may help. */
  readonly onRetry?: () => void;
}

/** What went wrong, and the way out. */
export function ErrorNote({ problem, onRetry }: ErrorNoteProps) {
  if (problem === undefined) return null;
  const { title, remedy } = wordsOf(problem);
  const passes = !(problem instanceof Problem) || problem.passes;
  return (
    <div class="note" role="alert">
      <Icon name="warning" />
      <div>
        <p class="note-title">{title}</p>
        {remedy && <p>{remedy}</p>}
      </div>
      {onRetry && passes && <Button onClick={onRetry}>{t('action.retry')}</Button>}
    </div>
  );
}
