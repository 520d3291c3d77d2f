import { useEffect, useState } from 'preact/hooks';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { Access } from '../../library/access';
import { placeholderOf } from '../../library/grid/Thumb';
import { readImage } from '../record';
import type { Image } from '../record';
import type { Version } from '../version';
import type { Box } from './zoom';

/** A picture in the viewer: an image as it is now, or one of its versions. */
export interface Shot {
  /** Identifies it. */
  readonly id: string;
  /** What screen readers call it. */
  readonly name: string;
  /** Identifies it in a list. */
  readonly label: string;
  /** When it was taken or made, by which it is sorted. */
  readonly moment: string;
  /** Undefined for versions of which the record does not tell it. */
  readonly size: Box | undefined;
  readonly thumb: string | undefined;
  /** A few of its colors, as a background. */
  readonly colors: string | undefined;
  readonly display: string;
  /** The whole picture, if it has more pixels than `display`. Lists do not tell it. */
  readonly whole: string | undefined;
  /** Asks for that of an image of a list. */
  readonly askWhole?: () => Promise<string | undefined>;
}

/** When a picture was taken, or else uploaded. */
export const momentOf = ({ taken_at: taken, created_at: created }: Image): string =>
  taken ?? created;

function boxOf(resolution: string): Box | undefined {
  const [width = 0, height = 0] = resolution.split('x').map(Number);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

export const shotOf = (image: Image): Shot => ({
  id: image.id,
  name: t('library.imageOf', { time: time(momentOf(image)) }),
  label: time(momentOf(image)),
  moment: momentOf(image),
  size: boxOf(image.resolution),
  thumb: image.thumb_url,
  colors: placeholderOf(image),
  display: image.path_url,
  whole: image.full_url,
});

export const shotOfVersion = ({ id, label, at, resolution, url, whole }: Version): Shot => ({
  id,
  name: label,
  label,
  moment: at,
  size: resolution === undefined ? undefined : boxOf(resolution),
  thumb: undefined,
  colors: undefined,
  display: url,
  whole,
});

/** An image of a list. */
export const listedShotOf = (access: Access, image: Image): Shot => ({
  ...shotOf(image),
  askWhole: () =>
    readImage(access, image.id, new AbortController().signal).then(({ full_url: url }) => url),
});

/** The picture with its whole, once that is wanted. */
export function useAsked(shot: Shot, wanted: boolean): Shot {
  const [asked, setAsked] = useState<{ readonly id: string; readonly url: string | undefined }>();
  const { id, whole, askWhole } = shot;
  const asks = wanted && whole === undefined && askWhole !== undefined;
  useEffect(() => {
    // Without it, the rendition stays.
    if (asks)
      askWhole().then(
        (url) => setAsked({ id, url }),
        () => undefined,
      );
  }, [id, asks]);
  return asked?.id === id ? { ...shot, whole: asked.url } : shot;
}

/** The size of a picture: what its record tells, else what its file tells once it has loaded. */
export function useSizeOf({ id, size, display }: Shot): Box | undefined {
  const [found, setFound] = useState<{ readonly id: string; readonly size: Box }>();
  useEffect(() => {
    if (size) return undefined;
    const file = new Image();
    file.onload = () =>
      setFound({ id, size: { width: file.naturalWidth, height: file.naturalHeight } });
    file.src = display;
    return () => (file.onload = null);
  }, [id, size === undefined]);
  return size ?? (found?.id === id ? found.size : undefined);
}
