import { useId } from 'preact/hooks';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Ctrl and Enter, or ⌘ and Enter: Enter alone begins a line. */
  readonly onSubmit?: () => void;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Shows the label only to screen readers. */
  readonly bare?: boolean;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
}

/** A text of several lines. */
export function TextArea(props: TextAreaProps) {
  const { label, value, onInput, onSubmit, hint, placeholder, bare, required, autoFocus } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={bare ? 'unseen' : undefined}>
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        value={value}
        placeholder={placeholder}
        required={required}
        autoFocus={autoFocus}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.();
        }}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
