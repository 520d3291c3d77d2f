import { signal } from '@preact/signals';

interface Shown {
  readonly id: number;
  readonly text: string;
}

const toasts = signal<readonly Shown[]>([]);
let last = 0;

/** Long enough to be read twice, in milliseconds. */
const shownMs = 5_000;

/** Briefly confirms that something has been done. Errors stay on the page: see ErrorNote. */
export function toast(text: string): void {
  const id = (last += 1);
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((shown) => shown.id !== id);
  }, shownMs);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id} class="toast">
          {text}
        </p>
      ))}
    </div>
  );
}
