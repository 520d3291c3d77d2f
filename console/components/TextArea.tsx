import { useId } from 'preact/hooks';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
}

/** A text of several lines. */
export function TextArea({ label, value, onInput, required, autoFocus }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        value={value}
        required={required}
        autoFocus={autoFocus}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}
