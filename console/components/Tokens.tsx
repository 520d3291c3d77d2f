import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';
import { Copyable } from './Copyable';
import { Dialog } from './Dialog';

interface TokensProps {
  readonly title: string;
  /** Tokens and other secrets that have just been issued, each with its name. */
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly onClose: () => void;
}

/** Secrets that the server never shows again: closing asks, unless all of them have been copied. */
export function Tokens({ title, secrets, onClose }: TokensProps) {
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const close = (): void => {
    if (asking || secrets.every(([name]) => copied.has(name))) onClose();
    else setAsking(true);
  };
  return (
    <Dialog title={title} onClose={close}>
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
        {asking ? (
          <Asking onStay={() => setAsking(false)} onClose={onClose} />
        ) : (
          <div class="dialog-actions">
            <Button variant="primary" onClick={close}>
              {t('action.done')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface AskingProps {
  readonly onStay: () => void;
  readonly onClose: () => void;
}

function Asking({ onStay, onClose }: AskingProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} class="tokens-asking" role="alert">
      <p>{t('tokens.close')}</p>
      <div class="dialog-actions">
        <Button onClick={onStay}>{t('tokens.stay')}</Button>
        <Button variant="danger" onClick={onClose}>
          {t('tokens.closeForGood')}
        </Button>
      </div>
    </div>
  );
}
