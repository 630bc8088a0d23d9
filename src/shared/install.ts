/** The sentences of the shop as an app on the device: saved, installed, updated. */
export const savedForOffline = 'Saved for offline'; // shown on every page; the others load later
export const installSays = {
  noRoom: 'There is no room left on this device to save the shop for offline use. With a connection everything works.',
  title: 'Keep the shop in your kitchen',
  offer: 'Browse offline. Cart changes wait and sync.',
  byHand: 'Press Share, then Add to Home Screen.',
  install: 'Install',
  notNow: 'Not now',
  newVersion: 'A new version is ready.',
  update: 'Update',
  later: 'Later',
} as const;
