import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Dialog } from './Dialog';
import { Field } from './Field';
import { SaveForm } from './SaveForm';
import { Tokens } from './Tokens';

type Secrets = readonly (readonly [name: string, value: string])[];

interface CreateDialogProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  /** Creates what has the name that was typed, and returns its secrets. */
  readonly create: (name: string) => Promise<Secrets>;
  readonly onClose: (created: boolean) => void;
  /** More fields. */
  readonly children?: ComponentChildren;
}

/** Asks for a name, creates something, and shows its secrets, once. */
export function CreateDialog(props: CreateDialogProps) {
  const { title, label, hint, create, onClose, children } = props;
  const [name, setName] = useState('');
  const [secrets, setSecrets] = useState<Secrets>();
  if (secrets) return <Tokens title={title} secrets={secrets} onClose={() => onClose(true)} />;
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <SaveForm
        label={t('action.create')}
        save={async () => setSecrets(await create(name.trim()))}
        onCancel={() => onClose(false)}
      >
        <Field
          label={label}
          value={name}
          onInput={setName}
          required
          autoFocus
          {...(hint && { hint })}
        />
        {children}
      </SaveForm>
    </Dialog>
  );
}

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The first tokens of a platform or a user. */
export const tokenPair = ({ access_token, refresh_token }: Pair): Secrets => [
  [t('tokens.access'), access_token],
  [t('tokens.refresh'), refresh_token],
];
