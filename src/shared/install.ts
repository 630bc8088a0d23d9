/** Messages about the installed app: saving, installing, updating. */
export const savedForOffline = 'Saved for offline'; // shown on every page; the others are loaded later
/** Messages about pictures on a metered connection. Rule: docs/rules/offline.md, Saving data */
export const picturesMessages = {
  /** @param isAll whether all product pictures are missing */
  without: ({ count, isAll }: { count: number; isAll: boolean }) => {
    if (isAll) return 'Catalog saved without photos';
    return `${savedForOffline}, except ${count === 1 ? '1 photo' : `${count} photos`}`;
  },
  saving: 'Saving photos',
  /** @param bytes size of the pictures; undefined if unknown */
  saveToo: (bytes: number | undefined) =>
    bytes === undefined ? 'Save photos too' : `Save photos too (${inMegabytes(bytes)} MB)`,
  /** All pictures are saved; this offers to save future ones. */
  saveNew: 'Save new photos too',
  stop: 'Stop saving photos',
} as const;

const minMegabytes = 0.1;
const inMegabytes = (bytes: number) => Math.max(minMegabytes, bytes / 1_000_000).toFixed(1);

export const installMessages = {
  noSpace: "There isn't enough space on this device to save the shop for offline use. Everything still works online.",
  title: (isTouched: boolean) => (isTouched ? 'Keep the shop on your phone' : 'Keep the shop on your computer'),
  offer: "Browse and build your cart offline. It syncs when you're back.",
  toHomeScreen: 'Tap Share, then Add to Home Screen.',
  toDock: 'Click Share, then Add to Dock.',
  /** For an installed app that shares no storage with the browser. */
  loginAgain: 'Log in there and your cart comes with you.',
  install: 'Install',
  notNow: 'Not now',
  newVersion: 'An update is ready.',
  update: 'Update',
  later: 'Later',
  notYet: "The update can't start yet. Try again in a few minutes.",
} as const;
