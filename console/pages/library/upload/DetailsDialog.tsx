import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { TextArea } from '../../../components/TextArea';
import { t } from '../../../core/i18n';
import type { Details } from './dropped';

interface DetailsDialogProps {
  readonly details: Details | undefined;
  readonly onChange: (details: Details | undefined) => void;
  readonly onClose: () => void;
}

const nothing: Details = { address: '', message: '', key: '', value: '' };

/** Asks what to put on all that is uploaded from now on. */
export function DetailsDialog({ details, onChange, onClose }: DetailsDialogProps) {
  const [said, setSaid] = useState(details ?? nothing);
  const text = (name: keyof Details) => ({
    value: said[name],
    onInput: (value: string) => setSaid({ ...said, [name]: value }),
  });
  const save = async (): Promise<void> => {
    onChange(detailWords(said).length > 0 ? said : undefined);
    onClose();
  };
  return (
    <Dialog title={t('upload.details')} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose}>
        <p class="hint">{t('upload.detailsHint')}</p>
        <Field label={t('field.address_road')} autoFocus {...text('address')} />
        <TextArea label={t('picture.memo')} {...text('message')} />
        <div class="field-pair">
          <Field label={t('field.key')} required={said.value !== ''} {...text('key')} />
          <Field label={t('field.value')} required={said.key !== ''} {...text('value')} />
        </div>
      </SaveForm>
    </Dialog>
  );
}

/** What there is to put on files. */
export const detailWords = ({ address, message, key, value }: Details): string[] =>
  [address, message, key && `${key}: ${value}`].filter(Boolean);
