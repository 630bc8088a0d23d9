/** The steps before the first sale, one function each. Rule: docs/rules/back-office.md, Go live */
import { mailFailures } from '../../shared/emailSettings';
import { goLiveMessages as messages, type GoLiveStep, type StepName } from '../../shared/goLive';
import { defaultSettings, exampleContact } from '../../shared/settings';
import type { GoLiveFacts } from './facts';

type Found = { isDone: boolean; sentence: string };
type Step = { href: string; check: (facts: GoLiveFacts) => Found };

/** In the order in which they are best done. */
const steps: Readonly<Record<StepName, Step>> = {
  contact: {
    href: '/admin/settings/general',
    check: ({ settings }) => {
      const example = exampleContact(settings);
      const contact = [settings.contactEmail, settings.contactPhone].filter(Boolean).join(', ');
      return { isDone: example === undefined, sentence: messages.contact(example, contact) };
    },
  },
  brand: {
    href: '/admin/settings/brand',
    check: ({ settings: { shopName }, hasLogo }) => {
      const isNamed = shopName !== defaultSettings.shopName;
      return either(isNamed || hasLogo, isNamed ? shopName : messages.logo, messages.sampleName);
    },
  },
  products: {
    href: '/products',
    check: ({ products, samples }) => {
      if (samples > 0) return open(messages.samples(samples));
      return either(products > 0, messages.products(products), messages.noProducts);
    },
  },
  delivery: {
    href: '/admin/delivery',
    check: ({ methods }) => either(methods > 0, messages.delivery(methods), messages.noDelivery),
  },
  tax: {
    href: '/admin/tax',
    check: ({ taxedStates, settings: { collectsNoTax } }) =>
      taxedStates > 0
        ? done(messages.tax(taxedStates))
        : either(collectsNoTax, messages.collectsNoTax, messages.noTax),
  },
  mail: {
    href: '/admin/settings/email',
    check: ({ mailServer: { state, failure } }) =>
      either(state === 'working', messages.mail, failure ? mailFailures[failure.reason] : messages.noMail),
  },
  payments: {
    href: '/admin/settings/payments',
    check: ({ isLive, isKeyRejected, wasTold }) => {
      if (!isLive) return open(messages.testMode);
      if (isKeyRejected) return open(messages.keyWrong);
      return either(wasTold, messages.payments, messages.noEvent);
    },
  },
  address: {
    href: '/admin/health',
    check: ({ publicUrl: { origin, protocol } }) => either(protocol === 'https:', origin, messages.noHttps(origin)),
  },
  backup: {
    href: '/admin/settings/backups',
    check: ({ backup: { isOn, lastGoodAt, isOverdue } }) => {
      if (!isOn) return open(messages.backupsOff);
      return either(lastGoodAt !== undefined && !isOverdue, messages.backup, messages.noBackup);
    },
  },
  testOrder: { href: '/', check: ({ wasPaid }) => either(wasPaid, messages.testOrder, messages.noOrder) },
};

const open = (sentence: string): Found => ({ isDone: false, sentence });
const done = (sentence: string): Found => ({ isDone: true, sentence });
const either = (isDone: boolean, yes: string, notYet: string): Found => (isDone ? done(yes) : open(notYet));

export const stepsOf = (facts: GoLiveFacts): GoLiveStep[] =>
  (Object.entries(steps) as [StepName, Step][]).map(([step, { href, check }]) => {
    const { isDone, sentence } = check(facts);
    return { step, state: isDone ? 'done' : 'open', sentence, href };
  });
