/** Messages about the installed app: saving, installing, updating. */
export const savedForOffline = 'Saved for offline'; // shown on every page; the others are loaded later
/** Messages about pictures on a metered connection. Rule: docs/rules/offline.md, Saving data */
export const picturesMessages = {
  /** @param isAll whether all product pictures are missing */
  without: ({ count, isAll }: { count: number; isAll: boolean }) => {
    if (isAll) return 'Catalog saved, without pictures';
    return `${savedForOffline}, without ${count === 1 ? '1 picture' : `${count} pictures`}`;
  },
  saving: 'Saving pictures',
  /** @param bytes size of the pictures; undefined if unknown */
  saveToo: (bytes: number | undefined) =>
    bytes === undefined ? 'Save pictures too' : `Save pictures too, ${inMegabytes(bytes)} MB`,
  /** All pictures are saved; this offers to save future ones. */
  saveNew: 'Save new pictures too',
  stop: 'Stop saving pictures',
} as const;

const minMegabytes = 0.1;
const inMegabytes = (bytes: number) => Math.max(minMegabytes, bytes / 1_000_000).toFixed(1);

export const installMessages = {
  noSpace: 'There is no room left on this device to save the shop for offline use. With a connection everything works.',
  title: 'Keep the shop in your kitchen',
  offer: 'Browse offline. Cart changes wait and sync.',
  toHomeScreen: 'Press Share, then Add to Home Screen.',
  toDock: 'Press Share, then Add to Dock.',
  /** For an installed app that shares no storage with the browser. */
  loginAgain: 'Log in once more there, and your cart comes along.',
  install: 'Install',
  notNow: 'Not now',
  newVersion: 'A new version is ready.',
  update: 'Update',
  later: 'Later',
  notYet: 'The new version cannot start yet. Try again in a few minutes.',
} as const;
