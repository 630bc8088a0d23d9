import { pictureMessages } from '../../../src/shared/pictureUploads';
import {
  button,
  change,
  columns,
  fail,
  failing,
  field,
  heading,
  link,
  onPage,
  press,
  text,
  type Screen,
} from './screen';

/** The catalog of the back office. The demo catalog's ids are the same in each shop. */
const peanutBase = '7ff42bbf-cce2-5263-98b5-d41cb2a4c1ce';
const savory = '3d37a512-c8ff-511f-a28b-55187db95e6c';
const staffProductPath = /\/api\/admin\/products\/[\da-f-]+$/;
const productsPath = /\/api\/admin\/products\?/;

const menuItem = (...names: string[]) => onPage('menuitem', ...names);

export const admin: Screen[] = [
  {
    name: 'products for staff',
    as: 'owner',
    path: '/products',
    provoke: change(productsPath, ({ products: { content } }: { products: { content: { availability: boolean }[] } }) =>
      content.slice(-1).forEach((product) => (product.availability = false)),
    ),
    labels: [
      heading('Products'),
      link('Add new Product'),
      ...columns('#', 'Product', 'Price', 'Availability', 'Quantity', 'Category'),
      field('Search products'),
      ...['Category', 'Availability'].map(button),
      button('Export CSV'),
      link('Import CSV'),
      text('Domoda Peanut Base'),
      text('$9.50'),
      text(/^Available$/),
      text(/^Not Available$/),
      text('1–10 of 36'),
      link('Page 2'),
    ],
    opens: [
      {
        name: 'the menu of a product',
        act: press('More actions for Domoda Peanut Base'),
        labels: menuItem('View Product', 'Edit Product', 'Delete Product'),
      },
      {
        name: 'selected products',
        act: (page) => page.getByLabel('Select Domoda Peanut Base').check(),
        labels: [
          text('1 selected'),
          ...['Make available', 'Make unavailable', 'Delete', 'Clear selection'].map(button),
        ],
      },
      {
        name: 'no products for staff',
        act: (page) => page.getByLabel('Search products', { exact: true }).fill('nothing-has-this-name'),
        labels: [text('No products found. Try another search or fewer filters.')],
      },
    ],
  },
  {
    name: 'products for staff that failed',
    as: 'owner',
    path: '/products',
    provoke: fail(productsPath),
    labels: [text('Failed to fetch products'), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'a new product',
    as: 'owner',
    path: '/new/product',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Save' }).click(),
    labels: [
      heading('Add new Product'),
      ...['Name', 'Price', 'Quantity', 'Category', 'Availability', 'Description'].map(field),
      ...['Size', 'Origin', 'Heat', 'Cost per unit', 'Allergens', 'Also known as'].map(field),
      text('Enter a description'),
      heading('Photos'),
      text(pictureMessages.drop),
      button('Add photos'),
      link('Cancel'),
      link('Back'),
    ],
  },
  {
    name: 'a product for staff',
    as: 'owner',
    path: `/view/product/${peanutBase}`,
    labels: [
      heading('Domoda Peanut Base'),
      ...['Price', 'Quantity', 'Category', 'Description'].map((term) => text(new RegExp(`^${term}$`))),
      heading('Stock'),
      text('Starting stock'),
      button('Adjust stock'),
      link('Edit Product'),
      button('Delete Product'),
    ],
    opens: [
      {
        name: 'a stock that is corrected',
        act: press('Adjust stock'),
        labels: [...onPage('field', 'Change', 'Reason'), ...onPage('button', 'Cancel', 'Save')],
      },
      {
        name: 'a product that is to be deleted',
        act: press('Delete Product'),
        labels: [...onPage('heading', 'Delete Domoda Peanut Base?'), ...onPage('button', 'Cancel', 'Delete')],
      },
    ],
  },
  {
    name: 'a product that is changed',
    as: 'owner',
    path: `/update/product/${peanutBase}`,
    labels: [
      heading('Edit Product'),
      ...['Name', 'Price', 'Quantity', 'Category', 'Availability', 'Description'].map(field),
      button('Remove photo 1'),
      button('Save'),
    ],
  },
  {
    name: 'a product with a table of sizes',
    as: 'owner',
    path: `/update/product/${peanutBase}`,
    provoke: change(staffProductPath, ({ product }: { product: Record<string, unknown> }) => {
      const { id, name, price, version } = product;
      const shared = { name, availability: true, unitSize: null, compareAtPrice: null, archived: false, sku: null };
      const pound = { ...shared, id: '00000000-0000-4000-8000-000000000001', price: 15.5, quantity: 26, version: 1 };
      const own = { ...shared, id, price, version, quantity: product['quantity'], netGrams: 250 };
      product['sizes'] = [own, { ...pound, netGrams: 454 }];
    }),
    labels: [
      heading('Edit Product'),
      heading('Sizes'),
      text(/^2 sizes, \d+ in stock$/),
      ...['Size', 'SKU', 'Barcode', 'Price', 'Compare-at', 'Weight (g)', 'Stock'].map((name) =>
        field(`${name} of 1 lb`),
      ),
      button('More actions for 1 lb'),
      button('Add size'),
      button('Save'),
    ],
    opens: [
      {
        name: 'the menu of a size',
        act: press('More actions for 1 lb'),
        labels: menuItem('Edit details', 'Delete size'),
      },
    ],
  },
  {
    name: 'categories for staff',
    as: 'owner',
    path: '/product/category',
    labels: [
      heading('Categories'),
      link('Add Product Category'),
      ...columns('#', 'Product', 'Description', 'Products'),
      link('Savory & Seasoning'),
      link('Spices'),
      text('1–2 of 2'),
    ],
    opens: [
      {
        name: 'the menu of a category for staff',
        act: press('More actions for Savory & Seasoning'),
        labels: menuItem('View Category', 'Edit Category', 'Delete Category'),
      },
    ],
  },
  {
    name: 'a new category',
    as: 'owner',
    path: '/new/product/category',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Save' }).click(),
    labels: [
      heading('Add Product Category'),
      field('Title'),
      field('Name'),
      field('Description'),
      text('Enter a description'),
    ],
  },
  {
    name: 'a category for staff',
    as: 'owner',
    path: `/view/product/category/${savory}`,
    labels: [heading('Category'), text('savory'), link('Edit Category'), button('Delete Category')],
  },
  {
    name: 'a category that is changed',
    as: 'owner',
    path: `/update/product/category/${savory}`,
    labels: [heading('Edit category'), field('Name'), field('Description'), button('Save')],
  },
];
