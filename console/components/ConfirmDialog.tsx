import { Dialog } from './Dialog';
import { SaveForm } from './SaveForm';

interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** The label of the button that does it. */
  readonly label: string;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, text, label, act, onClose }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <SaveForm danger label={label} save={act} onCancel={onClose}>
        <p>{text}</p>
      </SaveForm>
    </Dialog>
  );
}
