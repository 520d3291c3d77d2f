import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { TextArea } from '../../../components/TextArea';

/** A text that is asked for. */
export interface Text {
  readonly label: string;
  /** What it is now. */
  readonly value?: string;
  readonly required?: boolean;
  readonly isLong?: boolean;
}

interface TextsDialogProps<Name extends string> {
  readonly title: string;
  readonly hint?: string;
  readonly texts: Readonly<Record<Name, Text>>;
  /** The label of the button that saves. */
  readonly label?: string;
  /** The dialog closes when it is done. */
  readonly save: (values: Readonly<Record<Name, string>>) => Promise<void> | void;
  readonly onClose: () => void;
}

/** Asks for one text or several. */
export function TextsDialog<Name extends string>(props: TextsDialogProps<Name>) {
  const { title, hint, texts, label, save, onClose } = props;
  const names = Object.keys(texts) as Name[];
  const [values, setValues] = useState(
    () => Object.fromEntries(names.map((name) => [name, texts[name].value ?? ''])) as never,
  );
  const known: Readonly<Record<Name, string>> = values;
  const saved = async (): Promise<void> => {
    await save(known);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <SaveForm save={saved} onCancel={onClose} {...(label && { label })}>
        {hint && <p class="hint">{hint}</p>}
        {names.map((name, index) => {
          const { label: about, required = false, isLong } = texts[name];
          const Input = isLong ? TextArea : Field;
          return (
            <Input
              key={name}
              label={about}
              required={required}
              value={known[name]}
              autoFocus={index === 0}
              onInput={(text: string) => setValues({ ...known, [name]: text } as never)}
            />
          );
        })}
      </SaveForm>
    </Dialog>
  );
}
