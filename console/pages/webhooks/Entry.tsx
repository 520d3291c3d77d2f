import { useId, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { Copyable } from '../../components/Copyable';
import { ErrorNote } from '../../components/ErrorNote';
import { Menu } from '../../components/Menu';
import { Progress } from '../../components/Progress';
import { SecretsDialog } from '../../components/Secrets';
import { time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { useSaving } from '../../core/use-saving';
import { actInWords } from '../audit/words';
import { WebhookActions } from './webhooks';
import type { Webhook, WebhookDelivery } from './webhooks';

interface EntryProps {
  readonly platform: string;
  readonly webhook: Webhook;
  readonly onChange: () => void;
}

/** One webhook: where it goes, how it fares, and what can be done about it. */
export function Entry({ platform, webhook, onChange }: EntryProps) {
  const { id, state, url } = webhook;
  const labelId = useId();
  const saving = useSaving();
  const [secret, setSecret] = useState<string>();
  const [deleting, setDeleting] = useState(false);
  const [open, setOpen] = useState(false);
  const actions = new WebhookActions(platform, id);
  const turn = (work: () => Promise<unknown>): void =>
    saving.save(async () => {
      await work();
      onChange();
    });
  const rotate = (): void => saving.save(async () => setSecret((await actions.rotate()).secret));
  const more = [
    { label: t('webhooks.rotate'), icon: 'restore', act: rotate },
    { label: t('webhooks.delete'), icon: 'trash', act: () => setDeleting(true) },
  ] as const;
  return (
    <li class="entry" aria-labelledby={labelId}>
      <Details webhook={webhook} labelId={labelId} />
      {state === 'active' ? (
        <Button busy={saving.busy} onClick={() => turn(actions.pause)}>
          {t('action.pause')}
        </Button>
      ) : (
        <Button busy={saving.busy} onClick={() => turn(actions.resume)}>
          {t('action.resume')}
        </Button>
      )}
      <Button
        variant="quiet"
        icon={open ? 'down' : 'chevron'}
        expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t('webhooks.deliveries')}
      </Button>
      <Menu label={t('webhooks.more', { url })} icon="more" groups={[more]} />
      <ErrorNote problem={saving.problem} />
      {open && <Deliveries actions={actions} />}
      {secret !== undefined && (
        <SecretsDialog
          title={t('webhooks.rotate')}
          secrets={[[t('webhooks.secret'), secret]]}
          onClose={() => setSecret(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={t('webhooks.delete')}
          text={t('webhooks.deleteText', { url })}
          label={t('webhooks.delete')}
          act={async () => {
            await actions.remove();
            onChange();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}

interface DetailsProps {
  readonly webhook: Webhook;
  readonly labelId: string;
}

function Details({ webhook, labelId }: DetailsProps) {
  const { id, state, url, types, description, paused_reason: reason } = webhook;
  return (
    <div class="entry-what">
      <p id={labelId} class="entry-title">
        {url}
        <span class={state === 'active' ? 'tag' : 'tag caution'}>{t(`webhooks.${state}`)}</span>
      </p>
      {description !== null && <p>{description}</p>}
      <p class="hint">
        {`${t('column.created')} ${time(webhook.created_at)} · ${typesInWords(types)}`}
      </p>
      {reason !== null && <p class="hint bad">{reason}</p>}
      <Copyable name={t('webhooks.id')} value={id} />
    </div>
  );
}

/** More are counted. */
const namedTypes = 3;

const typesInWords = (types: readonly string[]): string =>
  types.length > namedTypes
    ? t('webhooks.typeCount', { count: types.length })
    : types.map(actInWords).join(', ');

/** The latest attempts to deliver something to a webhook. */
function Deliveries({ actions }: { readonly actions: WebhookActions }) {
  const { data, problem, again } = useRead((signal) => actions.deliveries(signal), []);
  return (
    <div class="deliveries">
      <ErrorNote problem={problem} onRetry={again} />
      {!data && problem === undefined && (
        <Progress label={t('webhooks.reading')} value={undefined} />
      )}
      {data?.length === 0 && <p class="muted">{t('webhooks.noDeliveries')}</p>}
      {data && data.length > 0 && (
        <ol>
          {data.map((delivery) => (
            <Attempt key={`${delivery.message_id} ${delivery.attempt}`} delivery={delivery} />
          ))}
        </ol>
      )}
      {data && (
        <Button variant="quiet" icon="rotate" onClick={again}>
          {t('webhooks.readAgain')}
        </Button>
      )}
    </div>
  );
}

function Attempt({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { at, type, status, error, ms, attempt, next_at: next } = delivery;
  const arrived = status !== null && status >= 200 && status < 300;
  return (
    <li>
      <span>{time(at)}</span>
      <span class="delivery-type">{type}</span>
      <span class={arrived ? 'tag' : 'tag bad'}>{status ?? t('webhooks.noAnswer')}</span>
      <span class="muted">{t('webhooks.took', { ms: number(ms) })}</span>
      {attempt > 1 && <span class="muted">{t('webhooks.attempt', { n: attempt })}</span>}
      {error !== null && <span class="bad">{error}</span>}
      {next !== null && <span class="muted">{t('webhooks.next', { time: time(next) })}</span>}
    </li>
  );
}
