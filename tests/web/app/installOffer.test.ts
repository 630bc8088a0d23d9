import { afterEach, expect, test } from 'vitest';
import { storeInstallOffer } from '../../../src/web/app/installOffer';
import { installPrompt } from '../../../src/web/device/installPrompt';
import { earlyOfferKey } from '../../../src/web/app/startNames';

afterEach(() => installPrompt.set(undefined));

test('an install prompt that came before the app did can be used', () => {
  const offer = new Event('beforeinstallprompt');
  Object.assign(window, { [earlyOfferKey]: offer });
  storeInstallOffer();
  expect(installPrompt.get()).toBe(offer);
});
