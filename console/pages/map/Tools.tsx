import { Button } from '../../components/Button';
import { CopyButton } from '../../components/Copyable';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Menu } from '../../components/Menu';
import { t } from '../../core/i18n';
import { go, hrefOf } from '../../core/router';
import { save } from '../../core/save';
import { session } from '../../core/session';
import { useSaving } from '../../core/use-saving';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { filtersOf } from '../library/listing';
import { Filters } from '../library/toolbar/Filters';
import { allImages, queryOf } from '../library/view';
import type { View } from '../library/view';
import { distance, fittingRadius } from './circle';
import type { Circle } from './circle';
import type { Frame } from './frame';

interface ToolsProps {
  readonly view: View;
  readonly onShow: (view: View) => void;
  readonly circle: Circle | undefined;
  readonly onCircle: (circle: Circle | undefined) => void;
  /** Where a circle begins. */
  readonly frame: Frame | undefined;
  /** URL of what is shown. */
  readonly link: string;
}

/** What the map is narrowed to, and a link to it. Circles select from lists, which are of one user. */
export function Tools({ view, onShow, circle, onCircle, frame, link }: ToolsProps) {
  const access = session.value?.userId === undefined ? undefined : accessTo(undefined);
  return (
    <div class="map-tools map-panel">
      <Filters
        access={access}
        // The circle has tools of its own.
        view={{ ...view, circle: '' }}
        onShow={(next) => onShow({ ...next, circle: view.circle })}
      >
        {access && (
          <a class="button" href={hrefOf(`/library${queryOf(view)}`)}>
            {t('map.asList')}
          </a>
        )}
      </Filters>
      <Narrowed view={view} onShow={onShow} />
      {access && !circle && (
        <Button
          variant="quiet"
          icon="circle"
          iconOnly
          onClick={() => frame && onCircle(circleIn(frame))}
        >
          {t('map.circle')}
        </Button>
      )}
      {access && circle && (
        <CircleTools access={access} view={view} circle={circle} onCircle={onCircle} />
      )}
      <CopyButton value={link} name={t('map.copyLink')} />
    </div>
  );
}

/** What came with the URL of a list, and the way to end it. */
function Narrowed({ view, onShow }: Pick<ToolsProps, 'view' | 'onShow'>) {
  const { search, folder, below } = view;
  return (
    <>
      {search !== '' && (
        <Button icon="close" onClick={() => onShow({ ...view, search: '' })}>
          {t('map.searched', { search })}
        </Button>
      )}
      {folder !== undefined && (
        <Button
          icon="close"
          onClick={() => onShow({ ...view, folder: undefined, below: allImages.below })}
        >
          {t(below ? 'map.inFolders' : 'library.thisFolder')}
        </Button>
      )}
    </>
  );
}

interface CircleToolsProps extends Pick<ToolsProps, 'view' | 'onCircle'> {
  readonly access: Access;
  readonly circle: Circle;
}

/** Says and changes the radius of a circle, and what can be done with all that it finds. */
function CircleTools({ access, view, circle, onCircle }: CircleToolsProps) {
  const saving = useSaving();
  const keep = (format: 'csv' | 'geojson') => (): void =>
    saving.save(() => exported(access, view, format));
  const ways = [
    { label: t('map.asList'), icon: 'library', act: () => go(`/library${queryOf(view)}`) },
    {
      label: t('action.downloadZip'),
      icon: 'download',
      act: () => saving.save(() => archived(access, view)),
    },
    { label: t('map.csv'), act: keep('csv') },
    { label: t('map.geojson'), act: keep('geojson') },
  ] as const;
  return (
    <div class="circle-tools">
      <Field
        type="number"
        label={t('map.radius')}
        bare
        value={String(circle.radius)}
        onInput={(text) => {
          const radius = Number(text);
          if (radius > 0) onCircle({ ...circle, radius: fittingRadius(radius) });
        }}
      />
      <span aria-hidden="true">m</span>
      <Menu label={t('map.found')} icon="more" groups={[ways]} />
      <Button variant="quiet" icon="close" iconOnly onClick={() => onCircle(undefined)}>
        {t('map.noCircle')}
      </Button>
      <ErrorNote problem={saving.problem} />
    </div>
  );
}

/** Makes the browser save a ZIP of the list, which the server makes while it is downloaded. */
async function archived({ userId: user_id, call }: Access, view: View): Promise<void> {
  const params = { path: { user_id }, query: filtersOf(view) };
  const { url } = await call((client) =>
    client.POST('/api/v1/users/{user_id}/images/archive', { params, body: {} }),
  );
  Object.assign(document.createElement('a'), { href: url, download: '' }).click();
}

async function exported(
  { userId: user_id, call }: Access,
  view: View,
  format: 'csv' | 'geojson',
): Promise<void> {
  const query = { ...filtersOf(view), date_by: 'taken_at', format } as const;
  const file = await call(async (client) => {
    const { data, ...rest } = await client.GET('/api/v1/users/{user_id}/images/export', {
      params: { path: { user_id }, query },
      parseAs: 'blob',
    });
    return { ...rest, ...(data && { data: { result: data } }) };
  });
  save(file as Blob, `imgstore.${format}`);
}

/** A circle in the middle of a frame, with a quarter of its smaller side as radius. */
function circleIn({ latitude, longitude, north, east }: Frame): Circle {
  const middle = { latitude, longitude };
  const high = distance(middle, { latitude: north, longitude });
  const wide = distance(middle, { latitude, longitude: east });
  return { ...middle, radius: fittingRadius(Math.min(high, wide) / 2) };
}
