/** Texts of the steps before the first sale. The server writes the sentences, the page titles and buttons. */
import type { Schema } from './contract';
import { countOf } from './counts';
import { agoOf } from './health';
import { mailMessages } from './mail';
import { paymentSettingsMessages } from './paymentSettings';
import { settingsMessages } from './settings';
import { taxMessages } from './tax';

export type GoLiveStep = Schema<'GoLiveStep'>;
export type StepName = GoLiveStep['step'];

/** The title of each step, and the button that leads to where it is done. */
export const goLiveSteps: Readonly<Record<StepName, { title: string; button: string; isForOwner?: true }>> = {
  contact: { title: 'Contact info', button: 'Update contact info', isForOwner: true },
  brand: { title: 'Name and logo', button: 'Set name and logo', isForOwner: true },
  products: { title: 'Products', button: 'Open products' },
  delivery: { title: 'Delivery', button: 'Add delivery' },
  tax: { title: 'Sales tax', button: 'Set sales tax' },
  policies: { title: 'Policies', button: 'Open pages' },
  mail: { title: 'Email', button: 'Set up email', isForOwner: true },
  payments: { title: 'Live payments', button: 'Open payments', isForOwner: true },
  address: { title: 'Address', button: 'Open health', isForOwner: true },
  backup: { title: 'Backup', button: 'Open backups', isForOwner: true },
  testOrder: { title: 'Test order', button: 'Open the shop' },
};

export const goLiveMessages = {
  getGoLive: { success: 'Steps', failure: "Couldn't load the steps" },
  done: (done: number, all: number) => `${done} of ${all} done`,
  title: (done: number, all: number) => `Go live: ${done} of ${all} done`,
  next: (title: string) => `Next: ${title}`,
  allDone: 'Everything is ready for your first sale.',
  intro: 'These must be true before your first sale.',
  contact: (example: string | undefined, contact: string) =>
    example ? settingsMessages.exampleContact(example) : contact,
  sampleName: 'The shop still has the sample name and no logo.',
  logo: 'The shop has your logo.',
  backupsOff: 'Backups are turned off.',
  noBackup: 'There is no good backup of the last day yet.',
  backup: 'The last backup was read back and is good.',
  samples: (count: number) =>
    `${countOf(count, 'sample product is', 'sample products are')} still in the shop. Edit or delete them.`,
  noProducts: 'The shop has no products yet.',
  products: (count: number) => countOf(count, 'product'),
  noDelivery: 'There are no delivery methods yet, so orders cost only their subtotal.',
  delivery: (count: number) => countOf(count, 'delivery method'),
  noTax: "No state has a tax rate yet. Set rates, or confirm that you don't collect sales tax.",
  collectsNoTax: taxMessages.collectsNoTax,
  tax: (count: number) => `Collecting in ${countOf(count, 'state')}`,
  policies: (count: number) => countOf(count, 'published page'),
  fewPolicies: (published: number, needed: number) =>
    `${published} of ${needed} pages published. Customers look for shipping, privacy, and terms.`,
  noMail: mailMessages.noServer,
  mail: 'Emails are sent.',
  testMode: 'Still in test mode. No real money moves.',
  keyWrong: paymentSettingsMessages.keyWrong,
  noEvent: "Payments are live, but the provider hasn't told us about one yet.",
  payments: 'Payments are live, and the provider tells us about them.',
  noHttps: (origin: string) => `The shop is at ${origin}, which only this computer can open.`,
  noOrder: 'Buy something yourself and pay for it.',
  testOrder: 'An order was paid.',
} as const;

/** What is so in a few words, for the cards in Settings. */
export const goLiveFacts = {
  delivery: (count: number) => countOf(count, 'method'),
  collectsNoTax: 'Not collected',
  policies: (count: number) => `${count} published`,
  mail: { working: 'Working', failing: 'Not working', none: 'Not set up' },
  testMode: paymentSettingsMessages.testMode,
  liveMode: paymentSettingsMessages.liveMode,
  backupsOff: 'Turned off',
  noBackup: 'No backup yet',
  backup: (agoMs: number) => `Last backup ${agoOf(agoMs)}`,
} as const;
