import { dayOfStamp, daysBetween, todayIn } from '../../../core/days';
import { serviceSettings } from '../../../core/service';
import { useRead } from '../../../core/use-read';

/** How many days something stays in the trash; undefined if it stays, or as long as nobody knows. */
export type DaysLeft = (thing: { readonly delete_at: string | null }) => number | undefined;

export function useDaysLeft(): DaysLeft {
  const { data } = useRead(serviceSettings, []);
  return ({ delete_at: trashed }) => {
    if (!data?.trash_days || trashed === null) return undefined;
    const gone = daysBetween(dayOfStamp(trashed), todayIn(data.time_zone));
    return Math.max(0, data.trash_days - gone);
  };
}
