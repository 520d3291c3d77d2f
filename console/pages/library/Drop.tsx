import { useEffect, useState } from 'preact/hooks';
import { t } from '../../core/i18n';
import { hasFiles } from './dragging';
import { filesOf } from './upload/dropped';
import type { Dropped } from './upload/dropped';

interface DropProps {
  readonly enabled: boolean;
  readonly onFiles: (files: readonly Dropped[]) => void;
  readonly onProblem: (problem: unknown) => void;
}

/** Takes files and folders that are dropped anywhere in the window, or pasted into it. */
export function Drop({ enabled, onFiles, onProblem }: DropProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const on = <Name extends 'paste' | 'dragover' | 'dragleave' | 'drop'>(
      name: Name,
      act: (event: WindowEventMap[Name]) => void,
    ): void => addEventListener(name, act, { signal: stop.signal });
    const take = (files: DataTransfer): void => void filesOf(files).then(onFiles, onProblem);
    on('paste', ({ clipboardData }) => {
      // A copied text may come with a picture of it.
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return;
      if (enabled) take(clipboardData);
    });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would open what is dropped.
      event.preventDefault();
      setOver(enabled);
    });
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false);
    });
    on('drop', (event) => {
      setOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      if (enabled) take(event.dataTransfer);
    });
    return () => stop.abort();
  }, [enabled, onFiles, onProblem]);
  return over ? <p class="drop-note">{t('upload.drop')}</p> : null;
}
