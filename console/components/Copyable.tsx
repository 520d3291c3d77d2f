import { useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';

interface CopyableProps {
  /** What it is: screen readers hear it with the button. */
  readonly name: string;
  readonly value: string;
  /** Called once it has been copied. */
  readonly onCopy?: () => void;
}

/** An id, a command, or a token, with a button that copies it. */
export function Copyable({ name, value, onCopy }: CopyableProps) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
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
    <div class="copyable">
      <code tabIndex={0}>{value}</code>
      <Button variant="quiet" icon={outcome === 'done' ? 'check' : 'copy'} iconOnly onClick={copy}>
        {t('copy.named', { name })}
      </Button>
      <span role="status" class={outcome === 'failed' ? 'hint' : 'unseen'}>
        {outcome && t(`copy.${outcome}`)}
      </span>
    </div>
  );
}
