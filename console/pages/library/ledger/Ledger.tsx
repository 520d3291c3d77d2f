import { useState } from 'preact/hooks';
import { Check } from '../../../components/Check';
import { CreateButton } from '../../../components/CreateButton';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { Select } from '../../../components/Select';
import { asJson } from '../../../core/api';
import type { components } from '../../../core/api';
import { language as consoleLanguage, languages, t } from '../../../core/i18n';
import type { Access } from '../access';
import './ledger.css';

interface LedgerProps {
  readonly access: Access;
  readonly ids: readonly string[];
  /** The URL of its thumbnail, if it has been read. */
  readonly thumbOf: (id: string) => string | undefined;
}

/** Opens the dialog for a ledger of the selected images. */
export const LedgerButton = (props: LedgerProps) => (
  <CreateButton variant="plain" icon="text" label={t('ledger.title')}>
    {(onClose) => <LedgerDialog {...props} onClose={onClose} />}
  </CreateButton>
);

const formats = { pdf: 'PDF', xlsx: 'Excel (XLSX)' } as const;
const layouts = ['1', '2', '4', '6'] as const;

type CaptionField = components['schemas']['CaptionField'];
/** All of them, and whether they are ticked at first. */
const ticked = {
  number: true,
  original_name: false,
  taken_at: true,
  address: true,
  place: true,
  direction: false,
  memos: false,
  client_memos: false,
  customs: false,
} satisfies Record<CaptionField, boolean>;
const fields = Object.keys(ticked) as CaptionField[];

const optionsOf = <Value extends string>(of: Readonly<Record<Value, string>>) =>
  (Object.entries(of) as [Value, string][]).map(([value, label]) => ({ value, label }));

/** Asks how the document should look, and has the browser save it. */
function LedgerDialog({
  access,
  ids,
  thumbOf,
  onClose,
}: LedgerProps & { readonly onClose: () => void }) {
  const [format, setFormat] = useState<keyof typeof formats>('pdf');
  const [layout, setLayout] = useState<(typeof layouts)[number]>('2');
  const [title, setTitle] = useState('');
  const [chosen, setChosen] = useState(fields.filter((name) => ticked[name]));
  const [keys, setKeys] = useState('');
  const [language, setLanguage] = useState(consoleLanguage.value);
  const customs = keys.split(',').flatMap((key) => (key.trim() ? [`custom:${key.trim()}`] : []));
  const save = async (): Promise<void> => {
    const form = { format, language, fields: [...chosen, ...customs], layout: Number(layout) };
    const image_ids = [...ids];
    const body = { ...form, image_ids, ...(title.trim() && { title: title.trim() }) };
    const { url } = await access.call((client) =>
      client.POST('/api/v1/users/{user_id}/images/ledger', {
        params: { path: { user_id: access.userId } },
        body,
        ...asJson,
      }),
    );
    location.assign(url); // an attachment: the page stays
    onClose();
  };
  return (
    <Dialog title={t('ledger.of', { count: ids.length })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose} label={t('ledger.download')}>
        <Field label={t('ledger.heading')} autoFocus value={title} onInput={setTitle} />
        <div class="field-pair">
          <Select
            label={t('ledger.format')}
            value={format}
            options={optionsOf(formats)}
            onChange={setFormat}
          />
          <Select
            label={t('ledger.language')}
            value={language}
            options={optionsOf(languages)}
            onChange={setLanguage}
          />
        </div>
        <fieldset class="ledger-fields">
          <legend>{t('ledger.captions')}</legend>
          {fields.map((name) => (
            <Check
              key={name}
              label={t(`ledger.${name}`)}
              checked={chosen.includes(name)}
              onChange={(on) =>
                setChosen((was) => fields.filter((one) => (one === name ? on : was.includes(one))))
              }
            />
          ))}
        </fieldset>
        <Field
          label={t('ledger.keys')}
          hint={t('ledger.keysHint')}
          value={keys}
          onInput={setKeys}
        />
        {format === 'pdf' && (
          <div class="field-pair">
            <Select
              label={t('ledger.layout')}
              value={layout}
              options={layouts.map((value) => ({ value, label: value }))}
              onChange={setLayout}
            />
            <Preview ids={ids} thumbOf={thumbOf} layout={Number(layout)} />
          </div>
        )}
      </SaveForm>
    </Dialog>
  );
}

/** The first page of pictures, as small as a stamp. */
function Preview({
  ids,
  thumbOf,
  layout,
}: Pick<LedgerProps, 'ids' | 'thumbOf'> & { readonly layout: number }) {
  return (
    <div class="ledger-page" data-layout={layout} aria-hidden="true">
      {ids.slice(0, layout).map((id) => (
        <div key={id}>
          <img src={thumbOf(id)} alt="" />
          <hr />
          <hr />
        </div>
      ))}
    </div>
  );
}
