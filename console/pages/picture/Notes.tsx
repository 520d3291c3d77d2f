import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { newKey } from '../../core/new-key';
import { useSaving } from '../../core/use-saving';
import type { Saved } from './record';

interface NotesProps<Note, Text> {
  readonly title: string;
  readonly notes: readonly Note[];
  readonly show: (note: Note) => ComponentChildren;
  /** Names of the buttons beside a note. */
  readonly edit: (note: Note) => string;
  readonly remove: (note: Note) => string;
  /** Shown before the text of a note. */
  readonly blank: Text;
  readonly textOf: (note: Note) => Text;
  readonly fields: (text: Text, onText: (text: Text) => void) => ComponentChildren;
  readonly isEmpty: (text: Text) => boolean;
  readonly onSave: (text: Text, saved: Saved) => Promise<void>;
  readonly onRemove: (id: string) => Promise<void>;
  /** Called after a note was saved or removed. */
  readonly onChange: () => void;
}

/** The notes on a picture, one below the other, and a field for another one. */
export function Notes<Note extends { readonly id: string }, Text>(props: NotesProps<Note, Text>) {
  const [text, setText] = useState(props.blank);
  const [edited, setEdited] = useState<string>();
  // One key per text, so that a note is stored once if its answer is lost and it is saved again.
  const once = useMemo(newKey, [text]);
  const { busy, problem, save } = useSaving();
  const clear = (): void => {
    setText(props.blank);
    setEdited(undefined);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (props.isEmpty(text)) return;
    save(async () => {
      await props.onSave(text, edited === undefined ? { once } : { id: edited });
      clear();
      props.onChange();
    });
  };
  const remove = ({ id }: Note): void =>
    save(async () => {
      await props.onRemove(id);
      if (id === edited) clear();
      props.onChange();
    });
  const begin = (note: Note): void => {
    setText(props.textOf(note));
    setEdited(note.id);
  };
  return (
    <section class="part">
      <h2>{props.title}</h2>
      <ul class="notes">
        {props.notes.map((note) => (
          <li key={note.id}>
            <div>{props.show(note)}</div>
            <Button variant="quiet" icon="edit" iconOnly onClick={() => begin(note)}>
              {props.edit(note)}
            </Button>
            <Button variant="quiet" icon="close" iconOnly busy={busy} onClick={() => remove(note)}>
              {props.remove(note)}
            </Button>
          </li>
        ))}
      </ul>
      <form class="one-line" onSubmit={submit}>
        {props.fields(text, setText)}
        <Button type="submit" busy={busy}>
          {edited === undefined ? t('action.add') : t('action.save')}
        </Button>
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}
