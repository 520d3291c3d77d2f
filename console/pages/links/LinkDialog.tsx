import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Check } from '../../components/Check';
import { Copyable } from '../../components/Copyable';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { Select } from '../../components/Select';
import { TextArea } from '../../components/TextArea';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import type { Access } from '../library/access';
import type { Item } from '../library/listing';
import { createLink } from './requests';
import type { Link, NewLink } from './requests';

interface LinkDialogProps {
  readonly access: Access;
  /** One folder, or images. */
  readonly items: readonly Item[];
  readonly onClose: (made?: Link) => void;
}

/** Makes a link to a folder or images, and shows its URL, once. */
export function LinkDialog({ access, items, onClose }: LinkDialogProps) {
  const [made, setMade] = useState<Link>();
  const close = (): void => onClose(made);
  return (
    <Dialog title={t('links.create')} onClose={close}>
      {made ? (
        <div class="tokens">
          <p>{t('links.once')}</p>
          <Copyable name={t('links.url')} value={made.url ?? ''} />
          <div class="dialog-actions">
            <Button variant="primary" onClick={close}>
              {t('action.done')}
            </Button>
          </div>
        </div>
      ) : (
        <LinkForm
          items={items}
          onCancel={close}
          onSave={async (link, key) => setMade(await createLink(access, link, key))}
        />
      )}
    </Dialog>
  );
}

interface LinkFormProps {
  readonly items: readonly Item[];
  readonly onCancel: () => void;
  /** @param key the same for the same terms: one link is made if its answer is lost. */
  readonly onSave: (link: NewLink, key: string) => Promise<void>;
}

const flag = (on: boolean) => (on ? 'True' : 'False');

function LinkForm({ items, onCancel, onSave }: LinkFormProps) {
  const [first] = items;
  const folder = first?.is_folder ? first.data : undefined;
  const [kind, setKind] = useState<Link['kind']>('view');
  const [texts, setTexts] = useState({ title: folder?.title ?? '', message: '', password: '' });
  const [expires, setExpires] = useState('');
  const [allowDownload, setAllowDownload] = useState(false);
  const [showPlace, setShowPlace] = useState(false);
  const key = useMemo(newKey, [kind, texts, expires, allowDownload, showPlace]);
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()));
  const save = (): Promise<void> =>
    onSave(
      {
        ...given,
        kind,
        ...(folder ? { folder_id: folder.id } : { image_ids: items.map(({ data }) => data.id) }),
        ...(expires && { expires_at: `${apiDay(expires)}_235959` }),
        allow_download: flag(allowDownload),
        show_place: flag(showPlace),
      },
      key,
    );
  const text = (name: keyof typeof texts) => ({
    value: texts[name],
    onInput: (value: string) => setTexts((was) => ({ ...was, [name]: value })),
  });
  return (
    <SaveForm save={save} onCancel={onCancel} label={t('action.create')}>
      {folder && (
        <Select
          label={t('links.kind')}
          value={kind}
          options={(['view', 'request'] as const).map((value) => ({
            value,
            label: t(`links.kind.${value}`),
          }))}
          onChange={setKind}
        />
      )}
      <Field label={t('links.title')} autoFocus {...text('title')} />
      {kind === 'request' && <TextArea label={t('links.message')} {...text('message')} />}
      <div class="field-pair">
        <Field
          type="date"
          label={t('links.expires')}
          hint={t('links.expiresHint')}
          value={expires}
          onInput={setExpires}
        />
        <Field label={t('links.password')} hint={t('links.passwordHint')} {...text('password')} />
      </div>
      {kind === 'view' && (
        <div class="checks">
          <Check
            label={t('links.allowDownload')}
            checked={allowDownload}
            onChange={setAllowDownload}
          />
          <Check label={t('links.showPlace')} checked={showPlace} onChange={setShowPlace} />
        </div>
      )}
    </SaveForm>
  );
}
