import { all, answer, cells, listOf } from './adminAnswers';
import { button, columns, field, heading, label, link, onPage, press, text, type Screen } from './screen';

const pages = /\/api\/admin\/pages\?/;
const onePage = /\/api\/admin\/pages\/[\da-f-]{36}$/;

const returnsId = '6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e60';
const listed = (place: number, title: string, slug: string, isPublished: boolean, day: string) => ({
  id: returnsId.replace(/.$/, String(place)),
  slug,
  title,
  isPublished,
  position: place,
  changedAt: `${day}T15:04:05.000Z`,
});
const somePages = answer(pages, {
  pages: listOf(
    listed(0, 'Shipping & Returns', 'shipping-returns', true, '2026-11-18'),
    listed(1, 'How we pack', 'how-we-pack', false, '2026-11-20'),
    listed(2, 'Terms', 'terms', true, '2026-08-02'),
  ),
});
const markdown = [
  'We pack orders on business days.',
  '## Returns',
  'You can return unopened items within [your return period]. Write to [hello@example.com](mailto:hello@example.com) with the order number first.',
  '- If it arrived damaged, we pay for the return.\n- We refund the card you paid with.',
].join('\n\n');
const somePage = answer(onePage, {
  page: { ...listed(0, 'Shipping & Returns', 'shipping-returns', true, '2026-11-18'), markdown, version: 3 },
});

/** The owner's own texts. */
export const adminPages: Screen[] = [
  {
    name: 'the pages of the owner',
    as: 'owner',
    path: '/admin/pages',
    provoke: somePages,
    labels: [
      ...['Pages', 'Texts to start from'].map(heading),
      ...['Settings', 'Add page', 'Shipping & Returns', 'How we pack', 'Terms'].map(link),
      button('More actions for Terms'),
      ...columns('Title', 'Address', 'Status', 'Updated'),
      ...cells('/pages/how-we-pack', 'Draft', 'Nov 20, 2026', 'Published pages are in the footer, in this order.'),
      link('Use text: Privacy'),
      link('Use text: FAQ'),
    ],
    opens: [
      {
        name: 'the menu of a published page',
        act: press('More actions for Terms'),
        labels: onPage('menuitem', 'Edit page', 'View page', 'Unpublish', 'Move up', 'Move down', 'Delete'),
      },
    ],
  },
  {
    name: 'a page of the owner, edited',
    as: 'owner',
    path: `/admin/pages/${returnsId}`,
    provoke: all(somePage),
    act: (page) => page.getByLabel('Title', { exact: true }).fill('Returns'),
    labels: [
      heading('Edit page'),
      ...['Title', 'Address', 'Text', 'Published'].map(field),
      ...['Pages', 'View page', 'Cancel'].map(link),
      label('toolbar', 'main')('Formatting'),
      ...['Delete page', 'Heading', 'Bold', 'Italic', 'Link', 'List', 'Next blank', 'Save'].map(button),
      ...cells('1 blank to fill', 'In the footer, under Explore', '/pages/shipping-returns'),
      heading('Preview'),
      heading('Returns'),
      text('We refund the card you paid with.'),
    ],
    opens: [
      {
        name: 'a page that can’t be published',
        act: press('Save'),
        labels: onPage('text', 'Fill in [your return period] before you publish'),
      },
    ],
  },
];
