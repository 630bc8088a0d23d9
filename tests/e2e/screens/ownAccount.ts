import { button, field, heading, link, onPage, press, text, type Screen } from './screen';

/** A forgotten password, and what a customer sees and changes in their account. */
export const ownAccount: Screen[] = [
  {
    name: 'forgot password',
    as: 'visitor',
    path: '/forgot-password',
    labels: [heading('Reset your password'), field('Email'), button('Send link'), link('Back to login')],
  },
  {
    name: 'reset password',
    as: 'visitor',
    path: '/reset-password?token=of-a-mail',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Save password' }).click(),
    labels: [
      heading('Choose a new password'),
      field('New password'),
      field('Confirm password'),
      text('Please confirm your password'),
      link('Get a new link'),
    ],
  },
  {
    name: 'an invitation to work in the shop',
    as: 'visitor',
    path: '/invitation#token=of-a-mail',
    labels: [heading('Choose your password'), ...['Password', 'Confirm password'].map(field), button('Save password')],
  },
  {
    name: 'confirm email',
    as: 'visitor',
    path: '/confirm-email#token=of-a-mail',
    labels: [heading('Confirm your email'), button('Confirm'), link('Go to your profile')],
  },
  {
    name: 'take over an address',
    as: 'visitor',
    path: '/confirm-email#takeover=of-a-mail',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Claim email' }).click(),
    labels: [
      heading('Claim your email'),
      ...['Full Name', 'New password', 'Confirm password'].map(field),
      text('Please confirm your password'),
      link('Reset your password instead'),
    ],
  },
  {
    name: 'addresses',
    as: 'customer',
    path: '/customer/view/addresses',
    labels: [heading('View User Addresses'), button('Add Address'), button(/^Edit /), button(/^Remove /)],
    opens: [
      {
        name: 'an address that is added',
        act: async (page) => {
          await press('Add Address')(page);
          await press('Save address')(page);
        },
        labels: [
          ...onPage('heading', 'Add Address'),
          ...onPage('field', 'Street address', 'City', 'State', 'ZIP code'),
          ...onPage('text', 'Enter a street address', 'Postal Code is required'),
          ...onPage('button', 'Cancel', 'Save address'),
        ],
      },
    ],
  },
  {
    name: 'profile',
    as: 'customer',
    path: '/customer/view/profile',
    labels: [
      heading('Profile'),
      ...['Name', 'Email', 'Joined', 'Role', 'Bio'].map((term) => text(new RegExp(`^${term}$`))),
      link('Edit Profile'),
      link('Change password'),
      link('Set up'),
      heading('Devices'),
      text('This device'),
    ],
  },
  {
    name: 'edit profile',
    as: 'customer',
    path: '/customer/edit/profile',
    labels: [
      heading('Edit Profile'),
      heading('Photo'),
      button('Choose photo'),
      ...['Full Name', 'Email', 'Phone', 'Date of birth', 'Bio'].map(field),
      button('Save profile'),
      link('Cancel'),
    ],
  },
  {
    name: 'change password',
    as: 'customer',
    path: '/customer/edit/password',
    labels: [
      heading('Change password'),
      ...['Current password', 'New password', 'Confirm password'].map(field),
      button('Change password'),
    ],
  },
  {
    name: 'two-step login',
    as: 'customer',
    path: '/customer/edit/second-factor',
    labels: [heading('Two-step login'), field('Password'), button('Set up')],
  },
];
