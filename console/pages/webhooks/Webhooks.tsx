import { CreateButton } from '../../components/CreateButton';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { OnServer } from '../../components/OnServer';
import { t } from '../../core/i18n';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { CreateWebhook } from './CreateWebhook';
import { Entry } from './Entry';
import { listWebhooks } from './webhooks';
import './webhooks.css';

/** The webhooks of the token's platform. */
export default function Webhooks() {
  const platform = session.value?.platformId ?? '';
  const { data, problem, again } = useRead((signal) => listWebhooks(platform, signal), [platform]);
  return (
    <>
      <div class="page-title">
        <div class="page-head">
          <h1>{t('webhooks.title')}</h1>
          <CreateButton label={t('webhooks.create')} onCreated={again}>
            {(onClose) => <CreateWebhook platform={platform} onClose={onClose} />}
          </CreateButton>
        </div>
        <p class="muted">{t('webhooks.about')}</p>
      </div>
      <ErrorNote problem={problem} onRetry={again} />
      {data?.length === 0 && <Empty icon="webhook" title={t('webhooks.none')} />}
      {data && data.length > 0 && (
        <>
          <ul class="entries card">
            {data.map((webhook) => (
              <Entry key={webhook.id} platform={platform} webhook={webhook} onChange={again} />
            ))}
          </ul>
          <OnServer
            commands={[[t('onServer.replay'), 'webhook replay WEBHOOK_ID --after POSITION']]}
          />
        </>
      )}
    </>
  );
}
