import { t } from '../core/i18n';
import { useCommand } from '../core/service';
import { Card } from './Card';
import { Copyable } from './Copyable';

/** What a command does, and its words after the program. */
export type ServerCommand = readonly [does: string, words: string];

interface OnServerProps {
  readonly commands: readonly ServerCommand[];
}

/** Commands for what the API has no operation for, ready to be copied. */
export function OnServer({ commands }: OnServerProps) {
  const command = useCommand();
  return (
    <Card title={t('onServer.title')}>
      <p class="hint">{t('onServer.hint')}</p>
      <dl class="on-server">
        {commands.map(([does, words]) => (
          <div key={words}>
            <dt>{does}</dt>
            <dd>
              <Copyable name={does} value={command(words)} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
