import { useMemo, useState } from 'preact/hooks';
import { Check } from '../../components/Check';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { Select } from '../../components/Select';
import { Shareable } from '../../components/Shareable';
import { TextArea } from '../../components/TextArea';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import type { Access } from '../library/access';
import { libraryOf } from '../library/library';
import type { Things } from '../library/listing';
import { root } from '../library/tree/tree';
import { Tree } from '../library/tree/Tree';
import { Folders } from '../library/upload/store';
import { createLink } from './requests';
import type { Link, NewLink } from './requests';

interface LinkDialogProps {
  readonly access: Access;
  /** Without it, the link asks for pictures, and for the folder that they go to. */
  readonly of?: Things;
  readonly onClose: (made?: Link) => void;
}

/** Makes a link, and shows its address. */
export function LinkDialog({ access, of, onClose }: LinkDialogProps) {
  const [made, setMade] = useState<Link>();
  const close = (): void => onClose(made);
  return (
    <Dialog title={t(of ? 'links.create' : 'links.ask')} onClose={close}>
      {made ? (
        <Shareable url={made.url ?? ''} title={made.title} onClose={close} />
      ) : (
        <LinkForm
          access={access}
          of={of}
          onCancel={close}
          onSave={async (link, key) => setMade(await createLink(access, link, key))}
        />
      )}
    </Dialog>
  );
}

interface LinkFormProps {
  readonly access: Access;
  readonly of: Things | undefined;
  readonly onCancel: () => void;
  /** @param key the same for the same terms: one link is made if its answer is lost. */
  readonly onSave: (link: NewLink, key: string) => Promise<void>;
}

const flag = (on: boolean) => (on ? 'True' : 'False');

function LinkForm({ access, of, onCancel, onSave }: LinkFormProps) {
  const folder = of?.folder;
  const [kind, setKind] = useState<Link['kind']>(of ? 'view' : 'request');
  const [into, setInto] = useState<Into>({ folder: root, title: '' });
  const [texts, setTexts] = useState({ title: folder?.title ?? '', message: '', password: '' });
  const [expires, setExpires] = useState('');
  const [allowDownload, setAllowDownload] = useState(false);
  const [showPlace, setShowPlace] = useState(false);
  const key = useMemo(newKey, [kind, into, texts, expires, allowDownload, showPlace]);
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()));
  const target = async () => {
    if (!of) return { folder_id: await folderAt(access, into) };
    return folder ? { folder_id: folder.id } : { image_ids: [...of.images] };
  };
  const save = async (): Promise<void> =>
    onSave(
      {
        ...given,
        kind,
        ...(await target()),
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
      {!of && <FolderChoice access={access} into={into} onChange={setInto} />}
      <Field label={t('links.title')} autoFocus={of !== undefined} {...text('title')} />
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

/** A folder, or a new one in it. */
interface Into {
  readonly folder: string;
  /** Of the new one; empty: there is none. */
  readonly title: string;
}

/** Makes the new folder, unless there is one of that name. @throws Problem. */
async function folderAt(access: Access, { folder, title }: Into): Promise<string> {
  const library = libraryOf(access);
  const names = title.trim() === '' ? [] : [title.trim()];
  const id = await new Folders(access, library.tree).at(folder, names);
  if (names.length > 0) void library.tree.reload();
  return id;
}

interface FolderChoiceProps {
  readonly access: Access;
  readonly into: Into;
  readonly onChange: (into: Into) => void;
}

function FolderChoice({ access, into, onChange }: FolderChoiceProps) {
  return (
    <>
      <div class="move-tree">
        <Tree
          tree={libraryOf(access).tree}
          chosen={into.folder}
          onChoose={(folder) => onChange({ ...into, folder })}
        />
      </div>
      <Field
        label={t('links.newFolder')}
        value={into.title}
        onInput={(title) => onChange({ ...into, title })}
        required={into.folder === root}
        autoFocus
      />
    </>
  );
}
