/** The steps before the first sale, one function each. Rule: docs/rules/back-office.md, Go live */
import { mailFailures } from '../../shared/emailSettings';
import {
  goLiveFacts as inShort,
  goLiveMessages as messages,
  type GoLiveStep,
  type StepName,
} from '../../shared/goLive';
import { defaultSettings, exampleContact } from '../../shared/settings';
import type { GoLiveFacts } from './facts';

type Found = { isDone: boolean; sentence: string; fact?: string };
type Step = { href: string; check: (facts: GoLiveFacts) => Found };

/** Such as shipping, privacy, and terms. */
const policiesNeeded = 3;

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
    check: ({ methods }) =>
      methods > 0 ? done(messages.delivery(methods), inShort.delivery(methods)) : open(messages.noDelivery),
  },
  tax: {
    href: '/admin/tax',
    check: ({ taxedStates, settings: { collectsNoTax } }) => {
      if (taxedStates > 0) return done(messages.tax(taxedStates), messages.tax(taxedStates));
      return collectsNoTax ? done(messages.collectsNoTax, inShort.collectsNoTax) : open(messages.noTax);
    },
  },
  policies: {
    href: '/admin/pages',
    check: ({ publishedPages: count }) => ({
      ...either(count >= policiesNeeded, messages.policies(count), messages.fewPolicies(count, policiesNeeded)),
      fact: inShort.policies(count),
    }),
  },
  mail: {
    href: '/admin/settings/email',
    check: ({ mailServer: { state, failure } }) => ({
      ...either(state === 'working', messages.mail, failure ? mailFailures[failure.reason] : messages.noMail),
      fact: inShort.mail[state],
    }),
  },
  payments: {
    href: '/admin/settings/payments',
    check: ({ isLive, isKeyRejected, wasTold }) => {
      if (!isLive) return open(messages.testMode, inShort.testMode);
      if (isKeyRejected) return open(messages.keyWrong, inShort.liveMode);
      return { ...either(wasTold, messages.payments, messages.noEvent), fact: inShort.liveMode };
    },
  },
  address: {
    href: '/admin/health',
    check: ({ publicUrl: { origin, protocol } }) => either(protocol === 'https:', origin, messages.noHttps(origin)),
  },
  backup: {
    href: '/admin/settings/backups',
    check: ({ backup: { isOn, lastGoodAt, isOverdue }, now }) => {
      if (!isOn) return open(messages.backupsOff, inShort.backupsOff);
      if (lastGoodAt === undefined) return open(messages.noBackup, inShort.noBackup);
      const fact = inShort.backup(now.getTime() - lastGoodAt.getTime());
      return { ...either(!isOverdue, messages.backup, messages.noBackup), fact };
    },
  },
  testOrder: { href: '/', check: ({ wasPaid }) => either(wasPaid, messages.testOrder, messages.noOrder) },
};

const open = (sentence: string, fact?: string): Found => ({ isDone: false, sentence, ...(fact && { fact }) });
const done = (sentence: string, fact?: string): Found => ({ isDone: true, sentence, ...(fact && { fact }) });
const either = (isDone: boolean, yes: string, notYet: string): Found => (isDone ? done(yes) : open(notYet));

export const stepsOf = (facts: GoLiveFacts): GoLiveStep[] =>
  (Object.entries(steps) as [StepName, Step][]).map(([step, { href, check }]) => {
    const { isDone, ...found } = check(facts);
    return { step, state: isDone ? 'done' : 'open', href, ...found };
  });
