import { button, make, show } from './dom';
import { Outbox } from './outbox';
import type { Entry, State } from './outbox';
import { say, words } from './words';

/** The reason for a refusal, by its code. */
const reasons = new Map([
  ['storage_quota_exceeded', words.noRoom],
  ['too_many_images', words.noRoom],
  ['platform_limit_exceeded', words.noRoom],
  ['unsupported_image', words.noPicture],
  ['corrupt_image', words.broken],
  ['image_too_large', words.tooLarge],
  ['image_too_complex', words.tooLarge],
  ['upload_too_large', words.tooLarge],
]);

const stateText = ({ state, kept }: Entry): string => {
  const texts: Readonly<Record<State, string>> = {
    waiting: words.waiting,
    sending: words.sending,
    offline: words.offline,
    arrived: words.arrived,
    refused: say(words.refused, { reason: reasons.get(kept.refusal ?? '') ?? kept.refusal ?? '' }),
  };
  return texts[state];
};

/** A button that opens the chooser of the device, or its camera. */
function chooser(label: string, camera: boolean, add: (files: FileList) => void): HTMLElement {
  const input = make('input', { type: 'file', accept: 'image/*', multiple: !camera });
  if (camera) input.setAttribute('capture', 'environment');
  input.className = 'unseen';
  input.onchange = () => {
    if (input.files) add(input.files);
    input.value = ''; // the same file may be chosen again
  };
  return make('label', { className: camera ? 'button' : 'button main' }, label, input);
}

/** Under which the browser remembers what the visitor calls himself. */
const senderName = 'imgstore.sender';

/** Characters that the server takes. */
const longestName = 100;

function nameField(): HTMLInputElement {
  const field = make('input', { id: 'sender', maxLength: longestName, autocomplete: 'name' });
  try {
    field.value = localStorage.getItem(senderName) ?? '';
    field.onchange = () => localStorage.setItem(senderName, field.value.trim());
  } catch {
    // A browser may refuse its storage to a page.
  }
  return field;
}

/** How one picture is doing. */
class Row {
  readonly element = make('li');
  readonly #name = make('span', { className: 'name' });
  readonly #state = make('span', { className: 'state' });
  readonly #picture = make('img', { alt: '', hidden: true });
  readonly #progress = make('progress', { max: 1 });
  readonly #remove: HTMLButtonElement;

  constructor(entry: Entry, remove: () => void) {
    const { name } = entry.kept;
    this.#name.textContent = name;
    const sign = make('span', { ariaHidden: 'true' }, '✕');
    this.#remove = button(say(words.remove, { name }), 'remove', remove, sign);
    this.#progress.ariaLabel = name;
    this.element.append(this.#picture, this.#name, this.#state, this.#progress, this.#remove);
    this.update(entry);
  }

  update(entry: Entry): void {
    const { state, share, kept } = entry;
    if (kept.preview && this.#picture.hidden) {
      this.#picture.hidden = false;
      this.#picture.src = URL.createObjectURL(kept.preview);
    }
    this.element.dataset.state = state;
    this.#state.textContent = stateText(entry);
    this.#progress.hidden = state !== 'sending';
    this.#progress.value = share;
    this.#remove.hidden = state !== 'refused';
  }
}

/** Shows what is asked for, and sends it. @param fail shows why nothing can be sent any more. */
export async function showRequest(
  header: HTMLElement,
  fail: (problem: unknown) => void,
): Promise<void> {
  const rows = new Map<Entry, Row>();
  const list = make('ul', { className: 'sent' });
  const summary = make('p', { className: 'muted', role: 'status' });
  const isOpen = ({ state }: Entry): boolean => state !== 'arrived' && state !== 'refused';
  const summarize = (): void => {
    const { entries } = outbox;
    const said =
      entries.length === 0
        ? words.noneSent
        : entries.some(isOpen)
          ? words.keepOpen
          : entries.some(({ state }) => state === 'refused')
            ? words.someRefused
            : words.allArrived;
    if (summary.textContent !== said) summary.textContent = said;
  };
  const remove = (entry: Entry): void => {
    outbox.remove(entry);
    rows.get(entry)?.element.remove();
    rows.delete(entry);
    summarize();
  };
  const changed = (entry: Entry): void => {
    const known = rows.get(entry);
    if (known) known.update(entry);
    else {
      const row = new Row(entry, () => remove(entry));
      rows.set(entry, row);
      list.prepend(row.element);
    }
    summarize();
  };
  const outbox = new Outbox(changed, fail);
  const name = nameField();
  const add = (files: FileList): void => outbox.add(files, name.value.trim() || undefined);
  addEventListener('beforeunload', (event) => {
    if (outbox.entries.some(isOpen)) event.preventDefault();
  });
  summarize();
  show(
    header,
    make('p', { className: 'sender' }, make('label', { htmlFor: name.id }, words.sender), name),
    make(
      'div',
      { className: 'choosers' },
      chooser(words.choose, false, add),
      chooser(words.take, true, add),
    ),
    make('h2', {}, words.sent),
    summary,
    list,
  );
  await outbox.resume();
  for (const [entry, row] of rows) if (!outbox.entries.includes(entry)) row.element.remove();
  summarize();
}
