import { useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { narrow, path, query } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { accessTo } from './access';
import { Contents } from './Contents';
import { Drop } from './Drop';
import { libraryOf } from './library';
import type { Library as LibraryOfUser } from './library';
import { root } from './tree/tree';
import { queryOf, viewOf } from './view';
import type { View } from './view';
import './library.css';

/** The images of a folder of a user, or all of them; the rail leads to the others. */
export default function Library({ params }: PageProps) {
  if (session.value === undefined) return null;
  return <Opened library={libraryOf(accessTo(params.user))} />;
}

function Opened({ library }: { readonly library: LibraryOfUser }) {
  const view = viewOf(query.value);
  const show = (next: View): void => narrow(`${path.value}${queryOf(next)}`);
  const [problem, setProblem] = useState<unknown>();
  const into = view.folder ?? root;
  return (
    <>
      <Drop
        enabled={!view.trash}
        onFiles={(files) => library.uploads.add(files, into)}
        onProblem={setProblem}
      />
      <div class="library-main">
        <ErrorNote problem={library.actions.problem.value ?? problem} />
        <Contents library={library} view={view} onShow={show} onProblem={setProblem} />
      </div>
    </>
  );
}
