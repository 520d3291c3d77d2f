import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'search' | 'password' | 'number' | 'date';
  readonly hint?: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  /** Shows the label in place of a value. */
  readonly bare?: boolean;
}

export function Field(props: FieldProps) {
  const { label, value, onInput, type = 'text', hint, error, bare } = props;
  const id = useId();
  // Preact's types distinguish inputs that this component treats alike.
  const typed = { type } as { readonly type: 'text' };
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={bare ? 'unseen' : undefined}>
        {label}
      </label>
      <input
        id={id}
        {...typed}
        value={value}
        required={props.required}
        placeholder={bare ? label : undefined}
        autoFocus={props.autoFocus}
        // Quotas and coordinates have decimals; what is too fine, the server refuses.
        step={type === 'number' ? 'any' : undefined}
        autoComplete="off"
        spellcheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={about || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
