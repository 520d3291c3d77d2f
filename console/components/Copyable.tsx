import { t } from '../core/i18n';
import { CopyButton } from './CopyButton';

interface CopyableProps {
  /** What it is: screen readers hear it with the button. */
  readonly name: string;
  readonly value: string;
  /** Called once it has been copied. */
  readonly onCopy?: () => void;
}

/** An id, a command, or a token, with a button that copies it. */
export const Copyable = ({ name, value, onCopy }: CopyableProps) => (
  <div class="copyable">
    <code tabIndex={0}>{value}</code>
    <CopyButton value={value} name={t('copy.named', { name })} onCopy={onCopy} />
  </div>
);
