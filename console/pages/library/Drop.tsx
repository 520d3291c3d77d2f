import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../core/i18n';
import { hasFiles } from './dragging';
import { filesOf } from './upload/dropped';
import type { Dropped } from './upload/dropped';

interface DropProps {
  readonly enabled: boolean;
  readonly children: ComponentChildren;
  readonly onFiles: (files: readonly Dropped[]) => void;
  readonly onProblem: (problem: unknown) => void;
}

/** Takes files and folders that are dropped anywhere on the page, or pasted into it. */
export function Drop({ enabled, children, onFiles, onProblem }: DropProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!enabled) return undefined;
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      // A copied text may come with a picture of it.
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return;
      filesOf(clipboardData).then(onFiles, onProblem);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, [enabled, onFiles, onProblem]);
  return (
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (enabled) setOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        if (enabled) filesOf(event.dataTransfer).then(onFiles, onProblem);
      }}
    >
      {children}
      {over && <p class="drop-note">{t('upload.drop')}</p>}
    </div>
  );
}
