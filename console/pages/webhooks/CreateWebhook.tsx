import { useState } from 'preact/hooks';
import { CreateDialog } from '../../components/CreateDialog';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';
import { createWebhook } from './webhooks';

interface CreateWebhookProps {
  readonly platform: string;
  readonly onClose: (created: boolean) => void;
}

export function CreateWebhook({ platform, onClose }: CreateWebhookProps) {
  const [description, setDescription] = useState('');
  const [typed, setTyped] = useState('');
  const types = typed.split(/[\s,]+/).filter(Boolean);
  return (
    <CreateDialog
      title={t('webhooks.create')}
      label={t('webhooks.url')}
      hint={t('webhooks.urlHint')}
      create={async (url) => {
        const { secret } = await createWebhook(platform, { url, description, types });
        return [[t('webhooks.secret'), secret]];
      }}
      onClose={onClose}
    >
      <Field label={t('webhooks.description')} value={description} onInput={setDescription} />
      <Field
        label={t('webhooks.types')}
        value={typed}
        onInput={setTyped}
        hint={t('webhooks.typesHint')}
      />
    </CreateDialog>
  );
}
