import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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

/** Takes files and folders that are dropped anywhere on the page. */
export function Drop({ enabled, children, onFiles, onProblem }: DropProps) {
  const [over, setOver] = useState(false);
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
