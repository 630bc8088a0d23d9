import { answer, cells, failingServer } from './adminAnswers';
import { button, field, heading, onPage, press, type Screen } from './screen';

/** The mail server in Settings. */
export const emailScreens: Screen[] = [
  {
    name: 'the mail server',
    as: 'owner',
    path: '/admin/settings/email',
    labels: [
      ...['Email', 'Mail server'].map(heading),
      ...['Server', 'Security', 'Port', 'Username', 'Password', 'From address', 'Your password'].map(field),
      button('Save and check'),
      ...cells("Email isn't set up. Customers get no receipts."),
    ],
    opens: [
      {
        name: 'the mail server, without enough in its fields',
        act: async (page) => {
          await page.getByLabel('Server', { exact: true }).fill('');
          await page.getByLabel('Port').fill('many');
          await press('Save and check')(page);
        },
        labels: cells(
          'Enter the server, such as smtp.example.com',
          'Enter a port from 1 to 65535',
          'Enter your current password',
        ),
      },
    ],
  },
  {
    name: 'a mail server that fails',
    as: 'owner',
    path: '/admin/settings/email',
    provoke: answer(/\/api\/admin\/settings\/email$/, { email: failingServer }),
    labels: [
      ...['Email', 'Mail server', 'Test'].map(heading),
      field('Send to'),
      button('Send test email'),
      ...cells(/The mail server rejects the username or password\. 3 emails will go out once this works\./),
      ...cells('The mail server answered: 535 5.7.8 Authentication failed'),
    ],
    opens: [
      {
        name: 'the question whether to remove the mail server',
        act: press('Remove mail server'),
        labels: [
          ...onPage('heading', 'Remove the mail server?'),
          ...onPage('button', 'Remove', 'Cancel'),
          ...cells(/^Until you set one up again, no email goes out/),
        ],
      },
    ],
  },
];
