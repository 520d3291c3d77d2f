import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './Button';
import type { ButtonProps } from './Button';

interface CreateButtonProps extends Pick<ButtonProps, 'variant' | 'icon'> {
  readonly label: string;
  /** Something was created. */
  readonly onCreated?: () => void;
  /** The dialog that asks for it, which says at its end whether it was created. */
  readonly children: (onClose: (created?: unknown) => void) => ComponentChildren;
}

/** Opens a dialog that creates something. */
export function CreateButton(props: CreateButtonProps) {
  const { label, variant = 'primary', icon = 'plus', onCreated, children } = props;
  const [open, setOpen] = useState(false);
  const close = (created?: unknown): void => {
    setOpen(false);
    if (created) onCreated?.();
  };
  return (
    <>
      <Button variant={variant} icon={icon} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && children(close)}
    </>
  );
}
