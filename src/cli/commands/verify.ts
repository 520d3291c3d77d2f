import type { Config } from '../../base/config/options.js';
import { byteSize } from '../../base/config/setting.js';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { verifyObjects } from '../../ops/verify/verify.js';
import { verifyMaps } from '../../ops/verify/database.js';
import { commandLine } from '../../base/os/command-line.js';
import { lowerPriority } from '../../base/os/run.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { SilentExit } from '../silent-exit.js';
import { withStore } from '../store.js';
import { describeVerified } from '../verify-text.js';

interface Options {
  readonly deep?: boolean;
  readonly repair?: boolean;
  readonly bytes?: string;
}

export async function verifyAll(context: Context, options: Options): Promise<void> {
  const given = givenBudget(options);
  const repair = options.repair === true;
  const again = `Run the same command again${options.deep ? ': it continues reading where it stopped' : ''}.`;
  const document = await advising(again, () =>
    withStore(context, async ({ config, ...parts }) => {
      lowerPriority();
      const objects = await verifyObjects({
        ...parts,
        repair,
        ...(options.deep && { reading: { budget: given ?? usualBudget(config), rest: 0 } }),
      });
      const { db, report, signal } = parts;
      const maps = await verifyMaps({ db, repair, report, signal });
      return { ...objects, ok: objects.ok && maps.ok, maps };
    }),
  );
  context.ui.result({ document, text: describeVerified(document) });
  if (!document.ok) throw new SilentExit(ExitCode.different);
}

/** Bytes to read as given by `--bytes`. @throws OperatorError 2. */
function givenBudget({ deep, bytes }: Options): number | undefined {
  if (bytes === undefined) return undefined;
  if (!deep) {
    throw wrongUsage('--bytes limits what --deep reads, but --deep was not given.', {
      setting: '--bytes',
      remedy: commandLine('verify', '--deep', '--bytes', bytes),
    });
  }
  if (bytes === 'all') return Infinity;
  const { data } = byteSize.safeParse(bytes);
  if (data) return data;
  throw wrongUsage(`--bytes must be a size such as 500MB or 20GB, or all, not "${bytes}".`, {
    setting: '--bytes',
    remedy: commandLine('verify', '--deep', '--bytes', '20GB'),
  });
}

const usualBudget = (config: Config): number => config['verify.bytes_per_night'] || Infinity;
