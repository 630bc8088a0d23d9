import {
  all,
  answer,
  cells,
  entry,
  listOf,
  mail,
  message,
  madeStaff,
  noOrdersYet,
  oneUser,
  person,
  promotions,
  someMails,
  someMessages,
  orderId,
  userId,
  users,
} from './adminAnswers';
import { customerScreen } from './adminCustomer';
import { emailScreens } from './adminEmail';
import { someSteps, stepScreens } from './adminSteps';
import { button, columns, field, heading, link, onPage, press, text, type Screen } from './screen';

/** Users, messages, mail, the log and the settings of the back office. */
export const adminPeople: Screen[] = [
  {
    name: 'users',
    as: 'owner',
    path: '/user/management',
    provoke: all(
      answer(users, {
        users: listOf(
          person('Isatou Jallow', 'ROLE_OWNER'),
          { ...person('Awa Ceesay', 'ROLE_CUSTOMER', false), orders: 12, spent: 1240.5 },
          {
            ...person('Musa Camara', 'ROLE_ADMIN'),
            id: orderId,
          },
        ),
      }),
      answer(/\/api\/admin\/users\/[^/]+\/role/, { user: { ...person('Musa Camara', 'ROLE_CUSTOMER'), id: orderId } }),
      answer(promotions, madeStaff),
    ),
    act: press('More actions for Awa Ceesay'),
    isOpenedPerSize: true,
    labels: [
      ...onPage(
        'text',
        'Users',
        'Isatou Jallow',
        'isatou@example.com',
        'Nov 14, 2026',
        'Active',
        'Inactive',
        'Owner',
        'Customer',
        '$1,240.50',
      ),
      ...columns('Full Name', 'Email', 'Joined', 'Orders', 'Spent', 'Status', 'Role'),
      ...onPage('text', 'Permissions', 'Add new User'),
      ...onPage('menuitemradio', 'Admin', 'User'),
      ...onPage('menuitem', 'View Profile', 'Activate'),
    ],
    opens: [
      {
        name: 'accounts that a demoted admin left behind',
        act: async (page) => {
          await press('More actions for Musa Camara')(page);
          await page.getByRole('menuitemradio', { name: 'User' }).click();
        },
        labels: [
          ...onPage('heading', 'These accounts are still staff', 'Promoted to staff by Musa Camara'),
          ...onPage('link', 'Grace Okafor', 'Kebba Touray'),
          ...onPage('button', 'Change to User: Grace Okafor', 'Close'),
        ],
      },
    ],
  },
  {
    name: 'a new user with mistakes',
    as: 'owner',
    path: '/new/user',
    act: press('Save'),
    labels: [
      heading('Add new User'),
      ...[
        'Full Name',
        'Email',
        'Role',
        'Password',
        'Confirm password',
        'Street address',
        'City',
        'State',
        'ZIP code',
      ].map(field),
      ...cells('Role is required', 'Postal Code is required', 'Please confirm your password'),
    ],
  },
  {
    name: 'a user who made others staff',
    as: 'owner',
    path: `/admin/view/user/${userId}`,
    provoke: all(
      answer(oneUser, { user: person('Musa Camara', 'ROLE_CUSTOMER') }),
      answer(promotions, madeStaff),
      noOrdersYet,
    ),
    labels: [
      heading('Promoted to staff by Musa Camara'),
      ...cells('No orders yet.', 'No messages yet.', 'No paid order yet'),
      link('Back'),
      heading('Personal Information'),
      heading('Address'),
      ...cells(
        'First name',
        'Last name',
        'Phone',
        'Date of birth',
        'Dec 31, 1990',
        'Role',
        'Country',
        'ZIP code',
        'N/A',
      ),
      button('Log out everywhere'),
      link('Grace Okafor'),
      button('Change to User: Grace Okafor'),
      button('Deactivate Grace Okafor'),
      link('Kebba Touray'),
      text(/ by Grace Okafor$/),
    ],
  },
  customerScreen,
  {
    name: 'the owner’s own profile',
    as: 'owner',
    path: '/admin/view/profile',
    labels: [
      heading('Profile'),
      heading('Personal Information'),
      heading('Address'),
      text('owner@example.com'),
      link('Edit'),
      button('Add address'),
      heading('Email notifications'),
      field('New orders'),
      ...cells('Low stock', 'New messages', /^(We send these to owner@example\.com\.|Email isn't set up, so)/),
      heading('Devices'),
    ],
  },
  {
    name: 'the owner’s own password',
    as: 'owner',
    path: '/admin/edit/password',
    labels: [
      heading('Change password'),
      ...['Current password', 'New password', 'Confirm password'].map(field),
      button('Change password'),
      link('Back'),
    ],
  },
  {
    name: 'the owner’s two-step login',
    as: 'owner',
    path: '/admin/edit/second-factor',
    labels: [heading('Two-step login'), link('Back')],
  },
  {
    name: 'the owner’s own profile, being edited',
    as: 'owner',
    path: '/admin/edit/profile',
    labels: [
      heading('Edit Profile'),
      button('Choose photo'),
      ...['Full Name', 'Email', 'Phone', 'Bio'].map(field),
      button('Save profile'),
    ],
  },
  {
    name: 'messages',
    as: 'owner',
    path: '/admin/messages',
    provoke: all(
      someMessages,
      answer(/\/api\/admin\/messages\/[\da-f-]{36}$/, { contactMessage: { ...message, userId }, replies: [] }),
    ),
    labels: [
      heading('Messages'),
      field('Search messages'),
      button('Status'),
      link('Lamin Touray'),
      ...cells('Do you ship half-kilo bags?', 'Read', 'Unread'),
    ],
    opens: [
      {
        name: 'a message, opened',
        act: async (page) => {
          await page.getByRole('link', { name: 'Lamin Touray' }).click();
          await press('Send reply')(page);
        },
        labels: [
          ...onPage('dialog', 'Lamin Touray'),
          ...onPage('link', 'View customer'),
          ...onPage('field', 'Your reply'),
          ...onPage('text', 'No reply yet', 'Enter your reply'),
          ...onPage('button', 'Mark as replied', 'Close', 'Send reply'),
        ],
      },
    ],
  },
  {
    name: 'mail',
    as: 'owner',
    path: '/admin/mail',
    provoke: all(
      someMails,
      answer(/\/api\/admin\/mails\/[\da-f-]{36}$/, {
        mail,
        content: { subject: 'Order #100482', text: null, file: null },
      }),
    ),
    labels: [
      heading('Email log'),
      button('Order confirmation'),
      link('#100482'),
      ...cells('awa@example.com', 'Failed', 'No answer (3 attempts)'),
    ],
    opens: [
      {
        name: 'a mail, opened',
        act: press('Order confirmation'),
        labels: [
          ...onPage('dialog', 'Order confirmation'),
          ...onPage('text', 'Subject', /^You can't view this email's text/),
        ],
      },
    ],
  },
  {
    name: 'the audit log',
    as: 'owner',
    path: '/admin/audit',
    provoke: answer(/\/api\/admin\/audit\?/, {
      entries: listOf(entry),
      filters: { actions: [entry.action], actors: [entry.actor] },
    }),
    labels: [
      heading('Audit log'),
      ...['Person', 'Action', 'Item', 'Date', 'Export CSV'].map(button),
      ...cells('Order status changed', 'Musa Camara', /Status Paid to On Delivery/),
      link('Order #1002'),
    ],
  },
  {
    name: 'the settings',
    as: 'owner',
    path: '/admin/settings',
    provoke: someSteps,
    labels: [
      heading('Settings'),
      link('Go live: 2 of 4 done Next: Sales tax'),
      link('Delivery 4 methods'),
      link('Sales tax Rates by state, tax collected Attention'),
      ...[/^General/, /^Brand/, /^Email/, /^Payments/, /^Pages/, /^Checkout/, /^Staff/, /^Backups/, /^About/].map(
        (name) => link(name),
      ),
    ],
  },
  {
    name: 'the general settings',
    as: 'owner',
    path: '/admin/settings/general',
    labels: [
      heading('General'),
      link('Settings'),
      ...['Shop name', 'Contact email', 'Contact phone', 'Time zone', 'Low stock', 'Units'].map(field),
      button('Save'),
    ],
    opens: [
      {
        name: 'the settings, without enough in them',
        act: async (page) => {
          await page.getByLabel('Shop name').fill('');
          await page.getByLabel('Low stock').fill('many');
          await press('Save')(page);
        },
        labels: cells('Enter the shop name', 'Enter a whole number of units from 0 to 1,000'),
      },
    ],
  },
  {
    name: "the shop's look",
    as: 'owner',
    path: '/admin/settings/brand',
    labels: [
      heading('Brand'),
      ...['Shop name', 'Banner title', 'Banner text', 'About Us', 'Colors', 'Store address'].map(field),
      button('Save'),
      heading('Preview'),
      heading('Logo'),
      button('Choose logo'),
    ],
  },
  ...emailScreens,
  {
    name: 'the settings of the checkout',
    as: 'owner',
    path: '/admin/settings/checkout',
    labels: [heading('Checkout'), field('First-order limit'), field('Limit customers who never paid'), button('Save')],
  },
  ...stepScreens,
  {
    name: 'the version and what changed',
    as: 'owner',
    path: '/admin/settings/about',
    labels: [heading('About'), heading('Version 1.0.0'), heading('Added')],
  },
];
