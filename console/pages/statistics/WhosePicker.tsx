import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import type { PlatformFigures } from './read';

interface WhosePickerProps {
  readonly platforms: readonly PlatformFigures[];
  /** The platform whose figures are shown; empty for all. */
  readonly only: string;
  readonly onOnly: (platformId: string) => void;
}

/** An administrator looks at all platforms, or at one. */
export function WhosePicker({ platforms, only, onOnly }: WhosePickerProps) {
  const choices = platforms.map(({ platform_id: value, platform: label }) => ({ value, label }));
  return (
    <Select
      label={t('statistics.only')}
      value={only}
      options={[{ value: '', label: t('statistics.allPlatforms') }, ...choices]}
      onChange={onOnly}
    />
  );
}
