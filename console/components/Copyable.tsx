import { useEffect, useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';

interface CopyButtonProps {
  readonly value: string;
  /** What it says to screen readers, and as its tooltip. */
  readonly name: string;
  /** Called once it has been copied. */
  readonly onCopy?: (() => void) | undefined;
}

/** Milliseconds for which it says what has become of it. */
const saidMs = 4_000;

/** Copies a text. It answers by itself: toasts are not seen over dialogs. */
export function CopyButton({ value, name, onCopy }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => {
    // Browsers allow it only on https and on this machine; elsewhere the text can be selected.
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    if (!clipboard) setOutcome('failed');
    clipboard?.writeText(value).then(
      () => {
        setOutcome('done');
        onCopy?.();
      },
      () => setOutcome('failed'),
    );
  };
  return (
    <>
      <Button variant="quiet" icon={outcome === 'done' ? 'check' : 'copy'} iconOnly onClick={copy}>
        {name}
      </Button>
      <span class={outcome === 'failed' ? 'hint copy-note' : 'unseen'} role="status">
        {outcome && t(`copy.${outcome}`)}
      </span>
    </>
  );
}

/** An id, a command, or a token, called `name`, with a button that copies it. */
export const Copyable = ({ name, value, onCopy }: CopyButtonProps) => (
  <div class="copyable">
    <code tabIndex={0}>{value}</code>
    <CopyButton value={value} name={t('copy.named', { name })} onCopy={onCopy} />
  </div>
);
