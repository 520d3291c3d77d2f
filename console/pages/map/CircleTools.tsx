import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';
import { distance } from './circle';
import type { Circle } from './circle';
import { fittingRadius } from './use-circle';
import type { View } from './view';

interface CircleToolsProps {
  readonly circle: Circle | undefined;
  readonly onCircle: (circle: Circle | undefined) => void;
  /** Where a circle begins. */
  readonly view: View | undefined;
}

/** Draws a circle, and then says and changes its radius. */
export function CircleTools({ circle, onCircle, view }: CircleToolsProps) {
  if (!circle) {
    return (
      <Button
        variant="quiet"
        icon="circle"
        iconOnly
        onClick={() => view && onCircle(circleIn(view))}
      >
        {t('map.circle')}
      </Button>
    );
  }
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
      <Button variant="quiet" icon="close" iconOnly onClick={() => onCircle(undefined)}>
        {t('map.noCircle')}
      </Button>
    </div>
  );
}

/** A circle in the middle of a view, with a quarter of its smaller side as radius. */
function circleIn({ latitude, longitude, north, east }: View): Circle {
  const middle = { latitude, longitude };
  const high = distance(middle, { latitude: north, longitude });
  const wide = distance(middle, { latitude, longitude: east });
  return { ...middle, radius: fittingRadius(Math.min(high, wide) / 2) };
}
