import { afterEach, expect, test } from 'vitest';
import { installOffer, storeInstallOffer } from '../../../src/web/app/installOffer';
import { earlyOfferKey } from '../../../src/web/app/startNames';

afterEach(() => installOffer.use());

test('an install prompt that came before the app did can be used', () => {
  const offer = new Event('beforeinstallprompt');
  Object.assign(window, { [earlyOfferKey]: offer });
  storeInstallOffer();
  expect(installOffer.get()).toBe(offer);
});
