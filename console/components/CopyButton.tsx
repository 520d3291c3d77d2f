import { useEffect, useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';
import './copy-button.css';

interface CopyButtonProps {
  readonly value: string;
  /** Its name, if it shows only an icon. */
  readonly name?: string;
}

/** Milliseconds for which it says what has become of it. */
const saidMs = 4_000;

/** Copies a text. It answers by itself: toasts are not seen over dialogs. */
export function CopyButton({ value, name }: CopyButtonProps) {
  const [said, setSaid] = useState<'copied' | 'notCopied'>();
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    // Browsers allow it only on https and on this machine; elsewhere the text can be selected.
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    if (!clipboard) setSaid('notCopied');
    clipboard?.writeText(value).then(
      () => setSaid('copied'),
      () => setSaid('notCopied'),
    );
  };
  const done = said === 'copied';
  return (
    <>
      <Button
        icon={done ? 'check' : 'copy'}
        onClick={copy}
        {...(name !== undefined && { iconOnly: true, variant: 'quiet' })}
      >
        {name ?? (done ? t('tokens.copied') : t('action.copy'))}
      </Button>
      <span class={said === 'notCopied' ? 'copy-note' : 'unseen'} role="status">
        {said && t(`tokens.${said}`)}
      </span>
    </>
  );
}
