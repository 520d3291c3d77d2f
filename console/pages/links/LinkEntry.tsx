import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { useSaving } from '../../core/use-saving';
import type { Link } from './requests';

interface LinkEntryProps {
  readonly link: Link;
  /** Pauses the link, or opens it again. */
  readonly turn: (paused: boolean) => Promise<unknown>;
  /** What else can be done with it. */
  readonly children?: ComponentChildren;
}

const tags = { active: 'tag', paused: 'tag caution', expired: 'tag' } as const;

/** One link: what visitors find there, and whether they still do. */
export function LinkEntry({ link, turn, children }: LinkEntryProps) {
  const { state, title, created_at: created } = link;
  const saving = useSaving();
  const id = useId();
  const isOpen = state === 'active';
  return (
    <li class="entry" aria-labelledby={id}>
      <div class="entry-what">
        <p id={id} class="entry-title">
          {title ?? t('links.untitled', { time: time(created) })}
          <span class={tags[state]}>{t(`links.state.${state}`)}</span>
        </p>
        <p class="hint">{inWords(link)}</p>
      </div>
      {state !== 'expired' && (
        <Button
          busy={saving.busy}
          onClick={() =>
            saving.save(async () => {
              await turn(isOpen);
            })
          }
        >
          {t(isOpen ? 'action.pause' : 'action.resume')}
        </Button>
      )}
      {children}
      <ErrorNote problem={saving.problem} />
    </li>
  );
}

function inWords(link: Link): string {
  const { kind, state, visits, arrivals, expires_at: expires, has_password: locked } = link;
  const end = { time: time(expires) };
  return [
    t(`links.kind.${kind}`),
    t(state === 'expired' ? 'links.expiredAt' : 'links.openUntil', end),
    visits > 0 ? t('links.visits', { count: visits }) : t('links.unvisited'),
    ...(kind === 'request' ? [t('links.arrivals', { count: arrivals })] : []),
    ...(locked ? [t('links.withPassword')] : []),
  ].join('\u00a0· ');
}
