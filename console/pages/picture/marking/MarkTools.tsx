import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../components/Button';
import type { IconName } from '../../../components/Icon';
import { t } from '../../../core/i18n';
import { inks, tools, widths } from './marks';
import type { Ink, Tool, Width } from './marks';

/** What the next mark is drawn with. */
export interface Pen {
  readonly tool: Tool;
  readonly ink: Ink;
  readonly width: Width;
}

interface MarkToolsProps {
  readonly pen: Pen;
  readonly onChange: (pen: Pen) => void;
}

const icons: Readonly<Record<Tool, IconName>> = {
  move: 'pan',
  pen: 'edit',
  arrow: 'arrow',
  rectangle: 'rectangle',
  ellipse: 'ellipse',
  text: 'text',
};

/** The tool of a key: each is that of its first letter. */
export const toolOf = (key: string): Tool | undefined => tools.find((tool) => tool[0] === key);

/** Tools, colors and widths; one stop of the Tab key, within which arrows move. */
export function MarkTools({ pen, onChange }: MarkToolsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])];
  const stopAt = (stop: EventTarget | null | undefined): void => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  useLayoutEffect(() => stopAt(bar.current?.querySelector('[aria-pressed=true]')), []);
  return (
    <div
      ref={bar}
      class="mark-tools"
      role="toolbar"
      aria-label={t('markUp.tools')}
      onFocusIn={({ target }) => stopAt(target)}
      onKeyDown={(event) => {
        const next = nextOf(buttons(), event.key);
        if (!next) return;
        event.preventDefault();
        next.focus();
      }}
    >
      <div role="group" aria-label={t('markUp.tool')}>
        {tools.map((tool) => (
          <Button
            key={tool}
            variant="quiet"
            icon={icons[tool]}
            iconOnly
            title={t('markUp.byKey', { name: t(`markUp.${tool}`), key: tool[0] ?? '' })}
            pressed={pen.tool === tool}
            onClick={() => onChange({ ...pen, tool })}
          >
            {t(`markUp.${tool}`)}
          </Button>
        ))}
      </div>
      <div role="group" aria-label={t('markUp.width')}>
        {widths.map((width) => (
          <Button
            key={width}
            variant="quiet"
            title={t(`markUp.width${width}`)}
            pressed={pen.width === width}
            onClick={() => onChange({ ...pen, width })}
          >
            <span class={`mark-dot of-${width}`} />
            <span class="unseen">{t(`markUp.width${width}`)}</span>
          </Button>
        ))}
      </div>
      <div role="group" aria-label={t('markUp.color')}>
        {inks.map((ink) => (
          <Button
            key={ink}
            variant="quiet"
            title={t(`markUp.${ink}`)}
            pressed={pen.ink === ink}
            onClick={() => onChange({ ...pen, ink })}
          >
            <span class={`mark-ink ${ink}`} />
            <span class="unseen">{t(`markUp.${ink}`)}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}

function nextOf(all: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const now = all.findIndex((one) => one === document.activeElement);
  const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[key];
  return to === undefined ? undefined : all.at(to % all.length);
}
