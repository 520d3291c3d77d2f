import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Check } from '../../components/Check';
import { Field } from '../../components/Field';
import { CreateDialog } from '../../components/Secrets';
import { t } from '../../core/i18n';
import { actInWords, changesOf, things } from '../audit/words';
import { createWebhook } from './webhooks';

interface CreateWebhookProps {
  readonly platform: string;
  readonly onClose: (created: boolean) => void;
}

/** Every type of event. */
const types = things.flatMap((thing) => changesOf(thing).map((change) => `${thing}.${change}`));

/** Asks where events go, and which; all are ticked at first. */
export function CreateWebhook({ platform, onClose }: CreateWebhookProps) {
  const [description, setDescription] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>(types);
  const isAll = ticked.length === types.length;
  return (
    <CreateDialog
      title={t('webhooks.create')}
      label={t('webhooks.url')}
      hint={t('webhooks.urlHint')}
      create={async (url) => {
        const wanted = { url, description, types: isAll ? [] : [...ticked] };
        const { secret } = await createWebhook(platform, wanted);
        return [[t('webhooks.secret'), secret]];
      }}
      onClose={onClose}
    >
      <Field label={t('webhooks.description')} value={description} onInput={setDescription} />
      <fieldset class="checks webhook-types">
        <legend>{t('webhooks.types')}</legend>
        <Button variant="quiet" onClick={() => setTicked(isAll ? [] : types)}>
          {t(isAll ? 'webhooks.noTypes' : 'webhooks.allTypes')}
        </Button>
        <div>
          {types.map((type) => (
            <Check
              key={type}
              label={actInWords(type)}
              checked={ticked.includes(type)}
              onChange={(on) =>
                setTicked(types.filter((one) => (one === type ? on : ticked.includes(one))))
              }
            />
          ))}
        </div>
      </fieldset>
    </CreateDialog>
  );
}
