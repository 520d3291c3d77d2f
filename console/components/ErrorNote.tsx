import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/i18n';
import { mayPass, Problem, wordsOf } from '../core/problem';
import { onReturn } from '../core/reach';
import { Button } from './Button';
import { Icon } from './Icon';

interface ErrorNoteProps {
  readonly problem: unknown;
  /** Retries what went wrong; offered if that may help, and called once the server is back. */
  readonly onRetry?: () => void;
}

/** What went wrong, and the remedy. */
export function ErrorNote({ problem, onRetry }: ErrorNoteProps) {
  const retry = useRef(onRetry);
  retry.current = onRetry;
  useEffect(() => {
    const isSilence = problem instanceof Problem && problem.isSilence;
    return isSilence ? onReturn(() => retry.current?.()) : undefined;
  }, [problem]);
  if (problem === undefined) return null;
  const { title, remedy } = wordsOf(problem);
  return (
    <div class="note" role="alert">
      <Icon name="warning" />
      <div>
        <p class="note-title">{title}</p>
        {remedy && <p>{remedy}</p>}
      </div>
      {onRetry && mayPass(problem) && <Button onClick={onRetry}>{t('action.retry')}</Button>}
    </div>
  );
}
