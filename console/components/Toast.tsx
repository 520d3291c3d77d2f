import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';

/** What the reader can do about it. */
export interface Answer {
  readonly label: string;
  readonly act: () => void;
}

interface Shown {
  readonly id: number;
  readonly text: string;
  readonly answer: Answer | undefined;
}

const toasts = signal<readonly Shown[]>([]);
let last = 0;

/** Long enough to be read twice, in milliseconds. */
const shownMs = 5_000;
/** Long enough to be read and answered. */
const answerMs = 10_000;

const hide = (id: number): void => {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
};

/** Briefly confirms that something has been done. Errors stay on the page: see ErrorNote. */
export function toast(text: string, answer?: Answer): void {
  const id = (last += 1);
  toasts.value = [...toasts.value, { id, text, answer }];
  setTimeout(hide, answer ? answerMs : shownMs, id);
}

/** Where toasts can be drawn. The last one draws them: it may be a dialog over the others. */
const places = signal<readonly object[]>([]);

export function Toasts() {
  const [place] = useState({});
  useLayoutEffect(() => {
    places.value = [...places.value, place];
    return () => void (places.value = places.value.filter((other) => other !== place));
  }, []);
  const shown = places.value.at(-1) === place ? toasts.value : [];
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, answer }) => (
        <p key={id} class="toast">
          <span>{text}</span>
          {answer && (
            <button
              type="button"
              onClick={() => {
                hide(id);
                answer.act();
              }}
            >
              {answer.label}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
