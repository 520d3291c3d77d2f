import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import type { Image } from '../record';

interface EditablePartProps {
  readonly title: string;
  /** Label of the button that starts editing. */
  readonly edit: string;
  readonly image: Image;
  readonly form: (close: () => void) => ComponentChildren;
  /** Shown while it is not edited. */
  readonly children: ComponentChildren;
}

/** A part of a picture's page that is replaced by a form while it is edited. */
export function EditablePart({ title, edit, image, form, children }: EditablePartProps) {
  const [editing, setEditing] = useState(false);
  return (
    <section class="part">
      <header>
        <h2>{title}</h2>
        {!editing && !image.delete_at && (
          <Button variant="quiet" icon="edit" iconOnly onClick={() => setEditing(true)}>
            {edit}
          </Button>
        )}
      </header>
      {editing ? form(() => setEditing(false)) : children}
    </section>
  );
}
