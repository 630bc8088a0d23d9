/** Texts of the health page. The server writes the sentences, the page their titles. */
import type { Schema } from './contract';
import { countOf } from './counts';

export type HealthCheck = Schema<'HealthCheck'>;

/** What a check found. With a `todo` it needs attention. */
export type Finding = { sentence: string; todo?: string; href?: string };

export const healthTitles: Record<HealthCheck['check'], string> = {
  payments: 'Payments and orders',
  provider: 'Payment provider',
  mail: 'Email',
  details: 'Your details',
  address: 'Address',
  disk: 'Disk',
  database: 'Database',
  backup: 'Backup',
  twoStepLogin: 'Two-step login',
  version: 'Version',
};

/** Checks without which the shop can't sell; the others can wait. */
export const sellingChecks: readonly HealthCheck['check'][] = ['provider', 'disk', 'database'];

export const healthMessages = {
  getHealthReport: { success: 'Health', failure: "Couldn't check the shop" },
  allRight: 'Everything is all right.',
  attention: (count: number) => `${countOf(count, 'thing needs', 'things need')} attention.`,
  sells: 'The shop sells and takes payments.',
  notKnown: {
    sentence: "We couldn't check this.",
    todo: "Check again. If it stays like this, read the shop's log.",
  },
} as const;

/** @returns 'just now', '4 minutes ago', '3 days ago' */
export function agoOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${countOf(minutes, 'minute')} ago`;
  if (minutes < 2 * 24 * 60) return `${countOf(Math.floor(minutes / 60), 'hour')} ago`;
  return `${countOf(Math.floor(minutes / 60 / 24), 'day')} ago`;
}

/** @returns '84 MB', '31 GB' */
export function sizeOf(bytes: number): string {
  const gigabyte = 1024 ** 3;
  if (bytes >= gigabyte)
    return `${(bytes / gigabyte).toLocaleString('en-US', { maximumFractionDigits: bytes < 10 * gigabyte ? 1 : 0 })} GB`;
  return `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
}

export const findings = {
  payments(found: { orders: number; differing: readonly string[] }): Finding {
    const { orders, differing } = found;
    if (differing.length > 0)
      return {
        sentence: `${countOf(differing.length, "order doesn't", "orders don't")} match the payment: ${differing
          .slice(0, 5)
          .map((number) => `#${number}`)
          .join(', ')}`,
        todo: 'Compare these orders with your payment provider.',
        href: '/ordered/products',
      };
    if (orders === 0) return { sentence: 'No payments in the last 30 days.' };
    const paid = `${countOf(orders, 'payment')} and ${countOf(orders, 'paid order')}`;
    return { sentence: `${paid} in the last 30 days, equal to the cent.` };
  },

  provider(found: {
    isLive: boolean;
    heardMsAgo: number | undefined;
    lookedUp: number;
    alarms: readonly string[];
  }): Finding {
    const heard = found.heardMsAgo === undefined ? 'Not heard from yet.' : `Last heard ${agoOf(found.heardMsAgo)}.`;
    const [alarm] = found.alarms;
    if (alarm !== undefined) return { sentence: heard, todo: alarm, href: '/admin/settings/payments' };
    if (found.lookedUp > 0)
      return {
        sentence: `${heard} We're waiting to hear about ${countOf(found.lookedUp, 'payment')}.`,
        todo: "We look these payments up every minute. Check your provider's status page if this lasts.",
      };
    if (!found.isLive)
      return {
        sentence: `Test mode: no real money moves. ${heard}`,
        todo: 'See under Payments in Settings how to take real ones.',
        href: '/admin/settings/payments',
      };
    return { sentence: `${heard} No payment is being looked up.` };
  },

  mail(found: { trouble: string | null; waiting: string | undefined; failed: number; sent: number }): Finding {
    if (found.trouble !== null)
      return {
        sentence: 'Customers get no emails.',
        todo: found.trouble,
        href: '/admin/settings/email',
      };
    if (found.waiting !== undefined)
      return { sentence: found.waiting, todo: 'We send them when the mail server works again.', href: '/admin/mail' };
    if (found.failed > 0)
      return {
        sentence: `${countOf(found.failed, 'email')} failed in the last 7 days.`,
        todo: 'Check the addresses in the email log, and send these emails again.',
        href: '/admin/mail',
      };
    return { sentence: `No email has waited long. ${countOf(found.sent, 'email')} sent in the last day.` };
  },

  details(missing: readonly string[]): Finding {
    if (missing.length === 0) return { sentence: 'Contact, delivery, and sales tax are set.' };
    return {
      sentence: `Not set yet: ${missing.join(', ')}.`,
      todo: 'Set what your shop needs in Settings.',
      href: '/admin/settings',
    };
  },

  address({ origin, protocol }: { origin: string; protocol: string }): Finding {
    if (protocol === 'https:') return { sentence: `The shop is at ${origin}` };
    return {
      sentence: `The shop is at ${origin}, which only this computer can open.`,
      todo: 'Give the shop an address with https, set PUBLIC_URL to it, and restart the shop.',
    };
  },

  disk({ free, total }: { free: number; total: number }): Finding {
    const sentence = `${sizeOf(free)} of ${sizeOf(total)} free.`;
    if (free >= Math.min(total / 10, 2 * 1024 ** 3)) return { sentence };
    return { sentence, todo: 'Delete files that you no longer need on this computer, or use a larger disk.' };
  },

  backup({ isOn, isOverdue, agoMs }: { isOn: boolean; isOverdue: boolean; agoMs: number | undefined }): Finding {
    const sentence = agoMs === undefined ? 'No good backup yet.' : `Last good backup ${agoOf(agoMs)}.`;
    const href = '/admin/settings/backups';
    if (!isOn) return { sentence, todo: 'Backups are turned off. Turn them on.', href };
    if (isOverdue) return { sentence, todo: 'Back up now, and see why the last backup failed.', href };
    return { sentence };
  },

  twoStepLogin({ users, unreadable }: { users: number; unreadable: number }): Finding {
    if (users === 0) return { sentence: 'No user has set it up yet.' };
    if (unreadable === 0) return { sentence: `It works for ${countOf(users, 'user')}.` };
    return {
      sentence: `The codes of ${countOf(unreadable, 'user')} don't work: the shop's key has changed.`,
      todo:
        'Put the old session.key or SESSION_SECRET back and restart the shop. Without it, these users log in with a ' +
        'recovery code, turn two-step login off, and set it up again.',
    };
  },

  database({ ms, bytes }: { ms: number; bytes: number }): Finding {
    const sentence = `The database answers in ${Math.max(1, Math.round(ms)).toLocaleString('en-US')} ms. It holds ${sizeOf(bytes)}.`;
    if (ms < 1000) return { sentence };
    return { sentence, todo: 'The database is slow. Check what else runs on its computer.' };
  },
} as const;
