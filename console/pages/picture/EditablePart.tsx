import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import type { Image } from './record';

interface EditablePartProps {
  readonly title: string;
  /** Of the button that begins to edit. */
  readonly edit: string;
  readonly image: Image;
  readonly form: (close: () => void) => ComponentChildren;
  /** What is read while nobody edits. */
  readonly children: ComponentChildren;
}

/** A part of a picture's page that shows a form instead, as long as it is edited. */
export function EditablePart({ title, edit, image, form, children }: EditablePartProps) {
  const [editing, setEditing] = useState(false);
  return (
    <section class="part">
      <header>
        <h2>{title}</h2>
        {!editing && !image.delete_at && (
          <Button kind="quiet" icon="edit" iconOnly onClick={() => setEditing(true)}>
            {edit}
          </Button>
        )}
      </header>
      {editing ? form(() => setEditing(false)) : children}
    </section>
  );
}
