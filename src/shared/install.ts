/** The sentences of the shop as an app on the device: saved, installed, updated. */
export const savedForOffline = 'Saved for offline'; // shown on every page; the others load later
/** What stands there on a metered connection. Rule: docs/rules/offline.md, Saving data */
export const picturesMessages = {
  /** @param isAll whether no picture of a product is there */
  without: ({ count, isAll }: { count: number; isAll: boolean }) => {
    if (isAll) return 'Catalog saved, without pictures';
    return `${savedForOffline}, without ${count === 1 ? '1 picture' : `${count} pictures`}`;
  },
  saving: 'Saving pictures',
  /** @param bytes how large they are; undefined where that is not known */
  saveToo: (bytes: number | undefined) =>
    bytes === undefined ? 'Save pictures too' : `Save pictures too, ${inMegabytes(bytes)} MB`,
  /** All are there: it is about those to come. */
  saveNew: 'Save new pictures too',
  stop: 'Stop saving pictures',
} as const;

const leastShown = 0.1;
const inMegabytes = (bytes: number) => Math.max(leastShown, bytes / 1_000_000).toFixed(1);

export const installMessages = {
  noSpace: 'There is no room left on this device to save the shop for offline use. With a connection everything works.',
  title: 'Keep the shop in your kitchen',
  offer: 'Browse offline. Cart changes wait and sync.',
  toHomeScreen: 'Press Share, then Add to Home Screen.',
  toDock: 'Press Share, then Add to Dock.',
  /** Of an app that shares nothing with the browser it came from. */
  loginAgain: 'Log in once more there, and your cart comes along.',
  install: 'Install',
  notNow: 'Not now',
  newVersion: 'A new version is ready.',
  update: 'Update',
  later: 'Later',
  notYet: 'The new version cannot start yet. Try again in a few minutes.',
} as const;
