import { counted } from '../../../base/units.js';
import { ok, type Check } from '../check.js';

export const config: Check = {
  name: 'config',
  title: 'The settings have no mistakes',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const { sources } = await context.settings.open();
    const given = Object.values(sources).filter((source) => source !== 'default').length;
    return ok(`${counted(given, 'setting')} given in all; the file is ${context.home.configFile}.`);
  },
};
