import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Progress } from '../../components/Progress';
import { time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import type { WebhookActions, WebhookDelivery } from './webhooks';
import './webhooks.css';

/** The latest attempts to deliver something to a webhook. */
export function Deliveries({ actions }: { readonly actions: WebhookActions }) {
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
