import { button, field, heading, link, onPage, press, text, type Screen } from './screen';

/** A forgotten password, and what a customer sees and changes in their account. */
export const ownAccount: Screen[] = [
  {
    name: 'forgot password',
    as: 'visitor',
    path: '/forgot-password',
    labels: [heading('Forgot Password'), field('Email'), button('Send Link'), link('Back to Login')],
  },
  {
    name: 'reset password',
    as: 'visitor',
    path: '/reset-password?token=of-a-mail',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Reset Password' }).click(),
    labels: [
      heading('Reset Password'),
      field('New Password'),
      field('Confirm Password'),
      text('Please confirm your password'),
      link('Ask for a new link'),
    ],
  },
  {
    name: 'confirm email',
    as: 'visitor',
    path: '/confirm-email#token=of-a-mail',
    labels: [heading('Confirm Email'), button('Confirm'), link('Go to your profile')],
  },
  {
    name: 'take over an address',
    as: 'visitor',
    path: '/confirm-email#takeover=of-a-mail',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Take Over' }).click(),
    labels: [
      heading('Take Over Your Address'),
      ...['Full Name', 'New Password', 'Confirm Password'].map(field),
      text('Please confirm your password'),
      link('Set a new password instead'),
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
          await press('Save Address')(page);
        },
        labels: [
          ...onPage('heading', 'Add Address'),
          ...onPage('field', 'Street', 'City', 'State', 'Postal Code'),
          ...onPage('text', 'This field is required', 'Postal Code is required'),
          ...onPage('button', 'Cancel', 'Save Address'),
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
      ...['Name', 'Email', 'Join date', 'Role', 'Description'].map((term) => text(new RegExp(`^${term}$`))),
      link('Edit Profile'),
      link('Change Password'),
      link('Set Up'),
      heading('Sessions'),
      text('This session'),
    ],
  },
  {
    name: 'edit profile',
    as: 'customer',
    path: '/customer/edit/profile',
    labels: [
      heading('Edit Profile'),
      heading('Picture'),
      button('Choose Picture'),
      ...['Full Name', 'Email', 'Phone', 'Date of birth', 'Description'].map(field),
      button('Save Profile'),
      link('Cancel'),
    ],
  },
  {
    name: 'change password',
    as: 'customer',
    path: '/customer/edit/password',
    labels: [
      heading('Change Password'),
      ...['Present Password', 'New Password', 'Confirm Password'].map(field),
      button('Change Password'),
    ],
  },
  {
    name: 'two-step login',
    as: 'customer',
    path: '/customer/edit/second-factor',
    labels: [heading('Two-step Login'), field('Password'), button('Set Up')],
  },
];
