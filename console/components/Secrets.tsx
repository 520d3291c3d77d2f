import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Copyable } from './Copyable';
import { Dialog } from './Dialog';
import { Field } from './Field';
import { SaveForm } from './SaveForm';

/** Tokens and other secrets that have just been issued, each with its name. */
export type Secrets = readonly (readonly [name: string, value: string])[];

interface SecretsProps {
  readonly title: string;
  readonly secrets: Secrets;
  readonly onClose: () => void;
}

/** Secrets that the server never shows again: closing asks, unless all of them have been copied. */
export function SecretsDialog({ title, secrets, onClose }: SecretsProps) {
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  const has = secrets.every(([name]) => copied.has(name));
  return (
    <Dialog title={title} onClose={onClose} losing={has ? undefined : t('tokens.close')} hasEnd>
      <div class="tokens">
        <p>{t('tokens.once')}</p>
        {secrets.map(([name, value]) => (
          <div key={name} class="token">
            <p>{name}</p>
            <Copyable
              name={name}
              value={value}
              onCopy={() => setCopied((before) => new Set([...before, name]))}
            />
          </div>
        ))}
      </div>
    </Dialog>
  );
}

interface CreateDialogProps {
  readonly title: string;
  /** The label of the name, which is the first field. */
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
  if (secrets) {
    return <SecretsDialog title={title} secrets={secrets} onClose={() => onClose(true)} />;
  }
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
