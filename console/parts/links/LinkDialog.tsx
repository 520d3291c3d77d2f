import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { Select } from '../../components/Select';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import { createViewLink } from './links';
import type { Link, Opens, Sharer, Terms } from './links';
import './links.css';

interface LinkDialogProps {
  readonly sharer: Sharer;
  readonly opens: Opens;
  readonly onClose: () => void;
}

/** Asks for the terms of a link, makes it, and shows its address, once. */
export function LinkDialog({ sharer, opens, onClose }: LinkDialogProps) {
  const [link, setLink] = useState<Link>();
  return (
    <Dialog title={t('links.share')} onClose={onClose}>
      {link ? (
        <Made link={link} onClose={onClose} />
      ) : (
        <TermsForm sharer={sharer} opens={opens} onClose={onClose} onMade={setLink} />
      )}
    </Dialog>
  );
}

/** Days after which a link ends, as far as they can be chosen here. */
const choices = ['1', '7', '30', '90'] as const;
type Choice = (typeof choices)[number];

interface TermsFormProps extends LinkDialogProps {
  readonly onMade: (link: Link) => void;
}

function TermsForm({ sharer, opens, onClose, onMade }: TermsFormProps) {
  const [days, setDays] = useState<Choice>('30');
  const [password, setPassword] = useState('');
  const [download, setDownload] = useState(false);
  const [place, setPlace] = useState(false);
  const terms: Terms = { days: Number(days), password, download, place };
  // One key for the same terms, so that one link is made if its answer is lost and it is asked for again.
  const attempt = useMemo(
    () => ({ once: newKey(), from: Date.now() }),
    [days, password, download, place],
  );
  return (
    <SaveForm
      label={t('links.create')}
      save={async () => onMade(await createViewLink(sharer, opens, terms, attempt))}
      onCancel={onClose}
    >
      <p class="muted">{t('links.hint')}</p>
      <Select
        label={t('links.ends')}
        value={days}
        options={choices.map((value) => ({
          value,
          label: t('links.days', { count: Number(value) }),
        }))}
        onChange={setDays}
      />
      <Field
        label={t('links.password')}
        hint={t('links.passwordHint')}
        value={password}
        onInput={setPassword}
      />
      <div class="link-allows">
        <Checkbox label={t('links.download')} checked={download} onChange={setDownload} />
        <Checkbox label={t('links.place')} checked={place} onChange={setPlace} />
      </div>
    </SaveForm>
  );
}

function Made({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const url = link.url ?? '';
  return (
    <div class="link-made">
      <p>{t('links.made', { time: time(link.expires_at) })}</p>
      <div class="link-address">
        <input
          aria-label={t('links.address')}
          value={url}
          readOnly
          autoFocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton value={url} />
      </div>
      <p class="hint">{t('links.once')}</p>
      <div class="dialog-actions">
        <Button variant="primary" onClick={onClose}>
          {t('action.done')}
        </Button>
      </div>
    </div>
  );
}
