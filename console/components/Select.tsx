import { useId } from 'preact/hooks';

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Shows the label only to screen readers. */
  readonly bare?: boolean;
}

/** One of a few choices. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onChange, bare } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={bare ? 'unseen' : undefined}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
