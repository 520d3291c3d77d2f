import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { go, hrefOf, path, query } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { trash } from '../library/actions';
import { uploadName } from '../library/download-name';
import { libraryOf } from '../library/library';
import { queryOf, viewOf } from '../library/view';
import { Address } from './Address';
import { Customs } from './Customs';
import { FileDetails } from './FileDetails';
import { Memos } from './Memos';
import { Place } from './Place';
import { readImage } from './record';
import type { Image } from './record';
import { useNeighbors } from './use-neighbors';
import { Versions } from './Versions';
import { Viewer } from './Viewer';
import './picture.css';

/** One image with all its details. */
export default function Picture({ params }: PageProps) {
  if (session.value === undefined) return null;
  return <Opened access={accessTo(params.user)} id={params.image ?? ''} />;
}

function Opened({ access, id }: { readonly access: Access; readonly id: string }) {
  const { data: image, problem, again } = useRead((signal) => readImage(access, id, signal), [id]);
  const library = libraryOf(access);
  const view = viewOf(query.value);
  const [failure, setFailure] = useState<unknown>();
  const neighbors = useNeighbors(library, view, query.value, id);
  const above = path.value.slice(0, path.value.indexOf('/images/'));
  const back = `${above}${queryOf(view)}`;
  const step = (to: 'next' | 'previous'): void => {
    const next = neighbors[to];
    if (next) go(`${above}/images/${next.id}${next.query}`, { replace: true });
  };
  const change = (): void => {
    again();
    library.refresh();
  };
  const setTrashed = (current: Image, into: boolean): void => {
    setFailure(undefined);
    void trash(access, [{ is_folder: false, data: current }], into).then((outcome) => {
      setFailure(outcome.problem);
      change();
    });
  };
  useEffect(() => {
    document.querySelector<HTMLElement>('.viewer-frame')?.focus({ preventScroll: true });
  }, [image?.id]);
  return (
    <>
      <header class="picture-head">
        <p>
          <a class="picture-back" href={hrefOf(back)}>
            <Icon name="back" />
            {t('picture.back')}
          </a>
        </p>
        <h1>{image ? time(image.created_at) : t('picture.title')}</h1>
        <div class="picture-steps">
          <Button
            disabled={!neighbors.previous}
            icon="back"
            iconOnly
            onClick={() => step('previous')}
          >
            {t('picture.previous')}
          </Button>
          <Button disabled={!neighbors.next} icon="chevron" iconOnly onClick={() => step('next')}>
            {t('picture.next')}
          </Button>
        </div>
        {image && (
          <div class="picture-actions">
            <a class="button" href={image.org_path_url} download={uploadName(image)}>
              <Icon name="download" />
              {t('picture.download')}
            </a>
            <Button
              icon={image.delete_at ? 'restore' : 'trash'}
              onClick={() => setTrashed(image, !image.delete_at)}
            >
              {image.delete_at ? t('action.restore') : t('action.trash')}
            </Button>
          </div>
        )}
      </header>
      <ErrorNote problem={problem ?? failure} onRetry={again} />
      {image && (
        <div class="picture">
          <Viewer key={image.id} image={image} onStep={step} onLeave={() => go(back)} />
          <div class="picture-side">
            <FileDetails image={image} />
            <Place access={access} image={image} onChange={change} />
            <Address access={access} image={image} onChange={change} />
            <Memos access={access} image={image} onChange={change} />
            <Customs access={access} image={image} onChange={change} />
          </div>
          <Versions image={image} />
        </div>
      )}
    </>
  );
}
