import { useRef, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import { Filters } from './Filters';
import type { Library } from './library';
import { root } from './tree/tree';
import { picked } from './upload/dropped';
import { allImages, filtersIn, searchTypes } from './view';
import type { View } from './view';

interface ToolbarProps {
  readonly library: Library;
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** Search, filters, and buttons that add something. */
export function Toolbar({ library, view, onShow }: ToolbarProps) {
  const [search, setSearch] = useState(view.search);
  const [searchIn, setSearchIn] = useState(view.searchIn);
  const filtered = filtersIn(view);
  const [open, setOpen] = useState(filtered > 0);
  const submit = (event: Event): void => {
    event.preventDefault();
    // Folders cannot be searched alone: a search covers all images.
    onShow({ ...view, folder: undefined, search: search.trim(), searchIn });
  };
  const types = searchTypes.map((value) => ({ value, label: t(`searchIn.${value}`) }));
  return (
    <div class="library-tools">
      <form role="search" onSubmit={submit}>
        <Field
          type="search"
          label={t('library.search')}
          placeholder={t('library.search')}
          bare
          value={search}
          onInput={setSearch}
        />
        <Select
          label={t('library.searchIn')}
          bare
          value={searchIn}
          options={types}
          onChange={setSearchIn}
        />
        <Button type="submit" icon="search" iconOnly>
          {t('action.search')}
        </Button>
        <Button icon="filter" iconOnly pressed={open} onClick={() => setOpen(!open)}>
          {t('library.filters')}
        </Button>
      </form>
      {!view.trash && (
        <div class="library-add">
          <Pick onPick={(files) => library.uploads.add(files, view.folder ?? root)} />
          <Button
            icon="plus"
            onClick={() => library.actions.askName({ parent: view.folder ?? root })}
          >
            {t('library.newFolder')}
          </Button>
        </div>
      )}
      {open && <Filters view={view} onShow={(next) => onShow({ ...next, folder: undefined })} />}
      {(view.search || filtered > 0) && (
        <Button variant="quiet" onClick={() => onShow({ ...allImages, trash: view.trash })}>
          {t('library.showAll')}
        </Button>
      )}
    </div>
  );
}

/** Missing in Preact's types. */
const ofFolders = { webkitdirectory: true };

/** Opens the browser's dialogs for files and folders. */
function Pick({ onPick }: { readonly onPick: (files: ReturnType<typeof picked>) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    onPick(picked(input.files ?? []));
    input.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('upload.files')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={folder}
        {...ofFolders}
        type="file"
        hidden
        aria-label={t('upload.folder')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <Button variant="primary" icon="upload" onClick={() => files.current?.click()}>
        {t('upload.files')}
      </Button>
      <Button icon="folder" onClick={() => folder.current?.click()}>
        {t('upload.folder')}
      </Button>
    </>
  );
}
