import { findings } from '../../../src/shared/health';
import { goLiveMessages } from '../../../src/shared/goLive';
import { answer } from './adminAnswers';

const gigabyte = 1024 ** 3;
const ok = { state: 'ok', todo: null } as const;

/** Two steps before the first sale are done, two are open. */
export const someSteps = answer(/\/api\/admin\/go-live/, {
  steps: [
    { step: 'contact', state: 'done', sentence: 'hello@kerr.example.com', href: '/admin/settings/general' },
    { step: 'delivery', state: 'done', sentence: goLiveMessages.delivery(4), href: '/admin/delivery' },
    { step: 'tax', state: 'open', sentence: goLiveMessages.noTax, href: '/admin/tax' },
    { step: 'testOrder', state: 'open', sentence: goLiveMessages.noOrder, href: '/' },
  ],
});

/** One check needs attention. */
export const someHealth = answer(/\/api\/admin\/health/, {
  health: [
    { check: 'payments', ...ok, ...findings.payments({ orders: 214, differing: [] }) },
    {
      check: 'mail',
      state: 'attention',
      sentence: '3 emails are waiting. The mail server rejects the login.',
      todo: 'We send them when the mail server works again.',
      href: '/admin/mail',
    },
    { check: 'disk', ...ok, ...findings.disk({ free: 31 * gigabyte, total: 50 * gigabyte }) },
    { check: 'version', ...ok, sentence: '1.0.0, started Nov 20, 2026.' },
  ],
  checkedAt: '2026-11-28T15:42:00.000Z',
});
