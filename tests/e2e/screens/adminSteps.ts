import { backupFailures } from '../../../src/shared/backups';
import { findings } from '../../../src/shared/health';
import { goLiveFacts, goLiveMessages } from '../../../src/shared/goLive';
import { answer, cells } from './adminAnswers';
import { button, link, columns, field, heading, onPage, press, type Screen } from './screen';

const gigabyte = 1024 ** 3;
const ok = { state: 'ok', todo: null } as const;

/** Two steps before the first sale are done, two are open. */
export const someSteps = answer(/\/api\/admin\/go-live/, {
  steps: [
    { step: 'contact', state: 'done', sentence: 'hello@kerr.example.com', href: '/admin/settings/general' },
    {
      step: 'delivery',
      state: 'done',
      sentence: goLiveMessages.delivery(4),
      href: '/admin/delivery',
      fact: goLiveFacts.delivery(4),
    },
    { step: 'tax', state: 'open', sentence: goLiveMessages.noTax, href: '/admin/tax' },
    { step: 'testOrder', state: 'open', sentence: goLiveMessages.noOrder, href: '/' },
  ],
});

/** One check needs attention. */
const someHealth = answer(/\/api\/admin\/health/, {
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

const backup = {
  id: '5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10',
  state: 'good',
  cause: 'nightly',
  startedBy: null,
  startedAt: '2026-11-28T08:00:04.000Z',
  finishedAt: '2026-11-28T08:00:09.000Z',
  bytes: 84_000_000,
  isVerified: true,
  verifiedAt: '2026-11-28T08:00:09.000Z',
  isHere: true,
  folder: '/srv/shop/data/backups/2026-11-28T08-00-04',
  problem: null,
};

/** A good backup, one that is on another server, and one that failed. */
const someBackups = answer(/\/api\/admin\/backups$/, {
  backups: [
    backup,
    {
      ...backup,
      id: '0d9a7c52-6f3e-4b81-8a2d-91c4e5f60b37',
      cause: 'asked',
      startedBy: 'Isatou Jallow',
      startedAt: '2026-11-26T23:14:00.000Z',
      isHere: false,
      folder: null,
    },
    {
      ...backup,
      id: 'c1f4e8a6-25b9-4d70-9e13-7a6b5c4d3e2f',
      state: 'failed',
      startedAt: '2026-11-26T08:00:04.000Z',
      bytes: null,
      isVerified: false,
      verifiedAt: null,
      isHere: false,
      folder: null,
      problem: backupFailures.disk_full,
    },
  ],
  schedule: { isOn: true, hour: 3, days: 7, weeks: 4 },
  lastGoodAt: '2026-11-28T08:00:04.000Z',
  isOverdue: false,
});

const backups: Screen = {
  name: 'the backups of the shop',
  as: 'owner',
  path: '/admin/settings/backups',
  provoke: someBackups,
  labels: [
    ...['Backups', 'Schedule', 'All backups'].map(heading),
    ...['At', 'Days to keep', 'Weeks to keep', 'Back up every night'].map(field),
    ...['Save', 'Back up now'].map(button),
    ...columns('When', 'Made', 'Checked'),
    ...cells(/Last backup: Nov 28, 3:00 AM EST/, 'By Isatou Jallow', 'On another server', backupFailures.disk_full),
  ],
  opens: [
    {
      name: 'the password before the download of a backup',
      act: press('Download'),
      labels: [...onPage('heading', 'Download backup'), ...onPage('field', 'Password'), ...onPage('button', 'Cancel')],
    },
    {
      name: 'the command that restores a backup',
      act: press('Restore'),
      labels: [...onPage('text', /^npm run restore -- /), ...onPage('button', 'Copy command')],
    },
  ],
};

/** The owner's backups, settings of staff, steps before the first sale, and health. */
export const stepScreens: Screen[] = [
  {
    name: 'whether payments are set up',
    as: 'owner',
    path: '/admin/settings/payments',
    labels: [
      ...['Payments', 'Mode', 'Checks', 'Webhook'].map(heading),
      ...['Check now', 'Copy'].map(button),
      field('Address'),
      ...cells('checkout.session.completed', 'Key', /The shop uses its own test provider/),
    ],
  },
  backups,
  {
    name: 'the settings of staff',
    as: 'owner',
    path: '/admin/settings/staff',
    labels: [heading('Staff'), field('Require two-step login for staff'), button('Save')],
  },
  {
    name: 'the steps before the first sale',
    as: 'owner',
    path: '/admin/settings/go-live',
    provoke: someSteps,
    labels: [
      heading('Go live'),
      heading(/^Sales tax ?: open$/),
      heading(/^Delivery ?: done$/),
      ...cells('2 of 4 done', goLiveMessages.noTax, '4 delivery methods'),
      link('Set sales tax'),
      link('Open the shop'),
    ],
  },
  {
    name: 'the health of the shop',
    as: 'owner',
    path: '/admin/health',
    provoke: someHealth,
    labels: [
      heading('Is everything all right?'),
      button('Check again'),
      ...cells('1 thing needs attention.', 'The shop sells and takes payments.', 'Attention', '31 GB of 50 GB free.'),
      link('Open'),
    ],
  },
];
