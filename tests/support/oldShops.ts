/**
 * Product exports of other shops, the same each time: 500 products in 1,400 sizes, with texts that files tend to break.
 * Shopify: the columns of a product export as described in Shopify's help, 'Using CSV files to import and export products'
 * (help.shopify.com/en/manual/products/import-export/using-csv), looked up on November 30, 2026.
 * WooCommerce: the columns and escapes of its exporter, plugins/woocommerce/includes/export/class-wc-product-csv-exporter.php
 * (github.com/woocommerce/woocommerce), looked up on November 30, 2026.
 */
import { stringify } from 'csv-stringify/sync';
import { slugOf } from '../../src/shared/slugs';

export type OldVariant = {
  size: string;
  grams: number;
  sku: string;
  barcode: string;
  price: string;
  /** The price before the sale; empty when there is no sale. */
  formerPrice: string;
  quantity: number;
};
export type OldShop = {
  source: string;
  /** @returns its export */
  exportOf: (products: readonly OldProduct[]) => string;
  /** The path of a product's page. */
  addressOf: (product: OldProduct) => string;
  /** What its export says about a photo of a product. */
  altOf: (product: OldProduct, nth: number) => string | null;
};
export type OldProduct = {
  handle: string;
  name: string;
  html: string;
  vendor: string;
  category: string;
  tags: string[];
  isTaxable: boolean;
  photos: string[];
  variants: OldVariant[];
};

const names = [
  'Piment d’Espelette',
  'Crème fraîche powder',
  '"House" rub, smoky',
  'Süßholz & Öl',
  'Salt; coarse',
  '=SUM(A1) pepper',
  'Gochugaru 고추가루',
  "Grandma's 5-spice",
  '+Hot+ chili',
  'Za’atar / Sumac',
] as const;
type Html = readonly [html: string, text: string];
/** Each with its plain text. */
const htmls: readonly [Html, ...Html[]] = [
  ['<p>Hand-picked, sun-dried &amp; whole.</p>', 'Hand-picked, sun-dried & whole.'],
  [
    '<p>Line one<br>line two</p>\n<ul><li>Toast it</li><li>Grind it, "fine"</li></ul>',
    'Line one\nline two\n\n- Toast it\n- Grind it, "fine"',
  ],
  ['<h2>Smoky</h2><p>Rub it on.<script>alert(1)</script></p><img src=x onerror="alert(2)">', 'Smoky\n\nRub it on.'],
  [
    'Plain text, with a comma\nand a second line; and a semicolon',
    'Plain text, with a comma\nand a second line; and a semicolon',
  ],
  ['<p style="color:red">Très <em>fort</em> – 100&nbsp;% pur &lt;raw&gt;</p>', 'Très fort – 100\u00a0% pur <raw>'],
];
const categories = ['Whole spices', 'Rubs & blends', 'Chilies', 'Salts', 'Herbs, dried'] as const;
const sizes = [
  ['50 g', 50],
  ['100 g', 100],
  ['250 g', 250],
  ['1 kg', 1000],
] as const;
/** @param html of an old product */
export const plainTextOf = (html: string): string | undefined => htmls.find(([each]) => each === html)?.[1];

const pick = <Item>(items: readonly [Item, ...Item[]], at: number): Item => items[at % items.length] ?? items[0];

/** @param host of the photos @returns the products of the old shop; 500 have 1,400 sizes */
export const oldProducts = (host = 'photos.example', count = 500): OldProduct[] =>
  Array.from({ length: count }, (_, at) => oldProduct(host, at));

function oldProduct(host: string, at: number): OldProduct {
  const handle = `old-pepper-${at}`;
  return {
    handle,
    name: `${pick(names, at)} ${at}`,
    html: pick(htmls, at)[0],
    vendor: pick(['Kaya Mill, Banjul', 'Óscar & Söhne', "O'Brien"], at),
    category: pick(categories, at),
    tags: at % 4 === 0 ? [] : ['old shop', pick(['hot', 'épicé', 'a "b"'], at)],
    isTaxable: at % 6 !== 0,
    photos: Array.from({ length: at % 3 }, (_, nth) => `https://${host}/files/${handle}-${nth}.jpg?v=1`),
    // 1, 2, 3, 4, and 4 sizes: 14 in five products
    variants: sizes.slice(0, Math.min(4, (at % 5) + 1)).map(([size, grams], nth) => {
      const number = at * 10 + nth;
      const cents = 395 + ((number * 137) % 9000);
      return {
        size,
        grams,
        sku: `OLD-${number}`,
        barcode: at % 3 === 0 ? gtin13(number) : '',
        price: dollars(cents),
        formerPrice: at % 7 === 0 ? dollars(cents + 200) : '',
        quantity: number % 90,
      };
    }),
  };
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

function gtin13(number: number): string {
  const digits = `200${String(number).padStart(9, '0')}`;
  const sum = Array.from(digits, Number).reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const altOf = ({ name }: OldProduct, nth: number) => `${name}, photo ${nth + 1}`;

/** The first line of a product has its texts, each size a line, and further photos the lines after them. */
export const shopifyExport = (products: readonly OldProduct[]): string =>
  stringify(products.flatMap(shopifyLines), { header: true, columns: shopifyColumns, record_delimiter: '\n' });

const shopifyColumns = [
  ['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published'],
  ['Option1 Name', 'Option1 Value', 'Option1 Linked To', 'Option2 Name', 'Option2 Value', 'Option2 Linked To'],
  ['Option3 Name', 'Option3 Value', 'Option3 Linked To', 'Variant SKU', 'Variant Grams', 'Variant Inventory Tracker'],
  ['Variant Inventory Qty', 'Variant Inventory Policy', 'Variant Fulfillment Service', 'Variant Price'],
  ['Variant Compare At Price', 'Variant Requires Shipping', 'Variant Taxable', 'Variant Barcode', 'Image Src'],
  ['Image Position', 'Image Alt Text', 'Gift Card', 'SEO Title', 'SEO Description', 'Variant Image'],
  ['Variant Weight Unit', 'Variant Tax Code', 'Cost per item', 'Status'],
].flat();

function shopifyLines(product: OldProduct): Record<string, string | number>[] {
  const { handle, name, html, vendor, category, tags, photos, variants } = product;
  const isSingle = variants.length === 1;
  return Array.from({ length: Math.max(variants.length, photos.length) }, (_, at) => {
    const [variant, photo] = [variants[at], photos[at]];
    return {
      Handle: handle,
      ...(at === 0 && {
        Title: name,
        'Body (HTML)': html,
        Vendor: vendor,
        Type: category,
        Tags: tags.join(', '),
        Published: 'true',
        'Option1 Name': isSingle ? 'Title' : 'Size',
        'Gift Card': 'false',
        Status: 'active',
      }),
      ...(variant && {
        'Option1 Value': isSingle ? 'Default Title' : variant.size,
        'Variant SKU': variant.sku,
        'Variant Grams': variant.grams,
        'Variant Inventory Tracker': 'shopify',
        'Variant Inventory Qty': variant.quantity,
        'Variant Inventory Policy': 'deny',
        'Variant Fulfillment Service': 'manual',
        'Variant Price': variant.price,
        'Variant Compare At Price': variant.formerPrice,
        'Variant Requires Shipping': 'true',
        'Variant Taxable': String(product.isTaxable),
        'Variant Barcode': variant.barcode,
        'Variant Weight Unit': 'g',
      }),
      ...(photo && { 'Image Src': photo, 'Image Position': at + 1, 'Image Alt Text': altOf(product, at) }),
    };
  });
}

/** A product in several sizes is a line of type 'variable', with its variations below all products, sorted by id. */
export const wooExport = (products: readonly OldProduct[]): string =>
  stringify(
    products.flatMap(wooLines).toSorted((one, other) => Number(one['ID']) - Number(other['ID'])),
    {
      header: true,
      columns: wooColumns,
      record_delimiter: '\n',
      bom: true,
    },
  );

const wooColumns = [
  ['ID', 'Type', 'SKU', 'GTIN, UPC, EAN, or ISBN', 'Name', 'Published', 'Is featured?', 'Visibility in catalog'],
  ['Short description', 'Description', 'Date sale price starts', 'Date sale price ends', 'Tax status', 'Tax class'],
  ['In stock?', 'Stock', 'Low stock amount', 'Backorders allowed?', 'Sold individually?', 'Weight (kg)'],
  ['Length (cm)', 'Width (cm)', 'Height (cm)', 'Allow customer reviews?', 'Purchase note', 'Sale price'],
  ['Regular price', 'Categories', 'Tags', 'Shipping class', 'Images', 'Download limit', 'Download expiry days'],
  ['Parent', 'Grouped products', 'Upsells', 'Cross-sells', 'External URL', 'Button text', 'Position', 'Brands'],
  ['Attribute 1 name', 'Attribute 1 value(s)', 'Attribute 1 visible', 'Attribute 1 global'],
].flat();

function wooLines(product: OldProduct, at: number): Record<string, string>[] {
  const { handle, name, html, vendor, category, tags, photos, variants } = product;
  const id = String(100 + at);
  const [first] = variants;
  const texts = {
    Published: '1',
    'Is featured?': '0',
    'Visibility in catalog': 'visible',
    Description: plain(html.replaceAll('\n', String.raw`\n`)),
    'Tax status': product.isTaxable ? 'taxable' : 'none',
    'Backorders allowed?': '0',
    'Sold individually?': '0',
    'Allow customer reviews?': '1',
    Categories: listed([category]),
    Tags: listed(tags),
    Images: listed(photos),
    Brands: listed([vendor]),
  };
  if (variants.length === 1 && first)
    return [{ ID: id, Type: 'simple', Name: plain(name), ...texts, ...wooTrade(first) }];
  const all = listed(variants.map(({ size }) => size));
  const option = { 'Attribute 1 name': 'Size', 'Attribute 1 global': '1' };
  const parent = { ID: id, Type: 'variable', SKU: handle, Name: plain(name), ...texts, ...option };
  return [
    { ...parent, 'In stock?': '1', 'Attribute 1 value(s)': all, 'Attribute 1 visible': '1' },
    ...variants.map((variant, nth) => ({
      ID: String(1000 + at * 10 + nth),
      Type: 'variation',
      Name: plain(`${name} - ${variant.size}`),
      Published: '1',
      'Tax status': texts['Tax status'],
      'Tax class': 'parent',
      Parent: handle,
      Position: String(nth + 1),
      ...option,
      ...wooTrade(variant),
      'Attribute 1 value(s)': variant.size,
    })),
  ];
}

const wooTrade = (variant: OldVariant): Record<string, string> => ({
  SKU: variant.sku,
  'GTIN, UPC, EAN, or ISBN': variant.barcode,
  'In stock?': variant.quantity > 0 ? '1' : '0',
  Stock: String(variant.quantity),
  'Weight (kg)': String(variant.grams / 1000),
  'Regular price': variant.formerPrice || variant.price,
  'Sale price': variant.formerPrice ? variant.price : '',
});

export const oldShops: OldShop[] = [
  { source: 'Shopify', exportOf: shopifyExport, addressOf: ({ handle }) => `/products/${handle}`, altOf },
  {
    source: 'WooCommerce',
    exportOf: wooExport,
    addressOf: ({ name }) => `/product/${slugOf(name)}`, // the export has no addresses
    altOf: () => null,
  },
];

/** A text that a spreadsheet would take for a formula starts with an apostrophe. */
const plain = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
/** Values in one cell: commas of their own are escaped. */
const listed = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(',', String.raw`\,`)).join(', ');
