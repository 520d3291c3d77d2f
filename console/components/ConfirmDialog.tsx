import { useState } from 'preact/hooks';
import { Button } from './Button';
import type { ButtonProps } from './Button';
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

/** Asks before something that cannot be undone, and closes once that is done. */
export function ConfirmDialog({ title, text, label, act, onClose }: ConfirmDialogProps) {
  const save = async (): Promise<void> => {
    await act();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <SaveForm danger label={label} save={save} onCancel={onClose}>
        <p>{text}</p>
      </SaveForm>
    </Dialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, 'onClose'> &
  Pick<ButtonProps, 'variant' | 'icon'>;

/** A button that asks before what it does. */
export function ConfirmButton({ variant, icon, ...asked }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...(variant && { variant })} {...(icon && { icon })} onClick={() => setAsking(true)}>
        {asked.label}
      </Button>
      {asking && <ConfirmDialog {...asked} onClose={() => setAsking(false)} />}
    </>
  );
}
