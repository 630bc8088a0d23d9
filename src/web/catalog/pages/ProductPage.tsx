import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { type ComponentProps, useEffect } from 'react';
import { catalogMessages, categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { sizeInWords, type ProductSize } from '../../../shared/sizes';
import type { Units } from '../../../shared/unitPrice';
import { addressOf } from '../core/addressOf';
import { productBySlugQuery, productQuery } from '../core/queries';
import { ReadFailure } from '../../connection/ReadFailure';
import { isNowhere } from '../../server/errors';
import { buttonClass } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { NotFoundPage } from '../core/NotFoundPage';
import { PageTitle } from '../../ui/PageMeta';
import { breadcrumbs, PageMeta, sharedFile } from '../../ui/PageMeta';
import { useShopFacts } from '../../ui/shopFacts';
import { Waiting } from '../../ui/Waiting';
import { BackLink } from './BackLink';
import { GoesWellWith } from './GoesWellWith';
import { ProductDetails } from './ProductDetails';
import details from './ProductDetails.module.css';
import skeleton from './ProductSkeleton.module.css';

const route = getRouteApi('/shop/customer/view/product/$id');
const slugRoute = getRouteApi('/shop/p/$slug');

export function ProductPage() {
  const { id } = route.useParams();
  const read = useQuery({
    ...productQuery(id),
    placeholderData: (shown) => otherSize(shown, (size) => size.id === id),
  });
  return <ProductOf read={read} />;
}

/** The same page at its readable address. Rule: docs/rules/catalog.md, Readable addresses */
export function ProductAtSlugPage() {
  const { slug } = slugRoute.useParams();
  const read = useQuery({
    ...productBySlugQuery(slug),
    placeholderData: (shown) => otherSize(shown, (size) => size.slug === slug),
  });
  const present = read.data?.slug ?? slug;
  const navigate = useNavigate();
  useEffect(() => {
    if (present !== slug) void navigate({ to: '/p/$slug', params: { slug: present }, replace: true });
  }, [present, slug, navigate]);
  return <ProductOf read={read} />;
}

function ProductOf({ read }: { read: UseQueryResult<Schema<'Product'>> }) {
  const { data: product, error } = read;
  if (isNowhere(error)) return <NotFoundPage />;
  if (product) {
    return (
      <>
        <ProductMeta product={product} />
        {product.archived ? <NoLongerSold /> : <ProductDetails product={product} />}
        {product.goesWellWith && <GoesWellWith products={product.goesWellWith} />}
      </>
    );
  }
  return (
    <>
      <PageTitle>Product</PageTitle>
      {error ? <Failed read={read} /> : <ProductSkeleton />}
    </>
  );
}

function Failed({ read }: Pick<ComponentProps<typeof ReadFailure>, 'read'>) {
  return (
    <div className="wrap">
      <h1 className="sr-only" tabIndex={-1}>
        Product
      </h1>
      <ReadFailure read={read} failure={catalogMessages.getProduct.failure} />
      <BackLink />
    </div>
  );
}

function NoLongerSold() {
  return (
    <EmptyState title={catalogMessages.noLongerSold}>
      <BackLink className={buttonClass({ size: 'lg' })} />
    </EmptyState>
  );
}

/** Facts that another size doesn't share. */
const ownFacts = [
  'compareAtPrice',
  'netGrams',
  'netMillilitres',
  'slug',
  'photos',
  'sku',
  'barcode',
  'pageTitle',
  'bestBefore',
] as const;

/** What is known of another size until its product has loaded. */
function otherSize(
  shown: Schema<'Product'> | undefined,
  isIt: (size: ProductSize) => boolean,
): Schema<'Product'> | undefined {
  const size = shown?.sizes?.find(isIt);
  if (!shown || !size) return undefined;
  const others: Partial<Schema<'Product'>> = { ...shown };
  for (const name of ownFacts) delete others[name];
  return { ...(others as Schema<'Product'>), ...size };
}

/** A square and three lines, while the product loads. */
function ProductSkeleton() {
  return (
    <Waiting what="the product" className={`wrap ${details['detail']}`}>
      <div className={details['back']}>
        <span className={skeleton['back']} />
      </div>
      <div className={`skeleton ${details['picture']}`} />
      <div className={details['facts']}>
        {/* not focusable: the focus goes to the product's name, which replaces it */}
        <h1 className="sr-only">Product</h1>
        <span className={`skeleton ${skeleton['name']}`} />
        <span className={`skeleton ${skeleton['price']}`} />
        <span className={`skeleton ${skeleton['text']}`} />
      </div>
    </Waiting>
  );
}

const maxDescription = 300;

function ProductMeta({ product }: { product: Schema<'Product'> }) {
  const router = useRouter();
  const { origin } = router;
  const { units } = useShopFacts();
  const { id, name, pageTitle, sku, barcode, description, picture, photos, productCategory, archived } = product;
  const path = router.buildLocation(addressOf(product)).href;
  const urlOf = (size: Parameters<typeof addressOf>[0]) => origin + router.buildLocation(addressOf(size)).href;
  const category = router.buildLocation({ to: '/products/$category', params: { category: productCategory.name } }).href;
  const ofCategory = categoryTitle(productCategory);
  return (
    <PageMeta
      title={pageTitle ?? name}
      description={description.slice(0, maxDescription) || `${name}, from ${ofCategory}`}
      path={path}
      picture={picture}
      type="product"
      isHidden={archived}
      data={
        archived
          ? []
          : [
              withVariants(
                product,
                { urlOf, units },
                {
                  '@type': 'Product',
                  name,
                  description,
                  sku: sku ?? id,
                  ...(barcode && { gtin: barcode }),
                  category: ofCategory,
                  ...(picture && { image: (photos ?? [picture]).map((photo) => origin + sharedFile(photo)) }),
                  offers: offerOf(product, origin + path),
                },
              ),
              breadcrumbs(origin, [
                { name: ofCategory, path: category },
                { name, path },
              ]),
            ]
      }
    />
  );
}

/** The former price is the struck-through one. */
const offerOf = (
  { price, compareAtPrice, availability }: Pick<ProductSize, 'price' | 'compareAtPrice' | 'availability'>,
  url: string,
) => ({
  '@type': 'Offer',
  url,
  ...inDollars(price),
  ...(compareAtPrice && {
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      priceType: 'https://schema.org/StrikethroughPrice',
      ...inDollars(compareAtPrice),
    },
  }),
  availability: `https://schema.org/${availability ? 'InStock' : 'OutOfStock'}`,
});

const inDollars = (price: number) => ({ price: price.toFixed(2), priceCurrency: 'USD' });

/** @param data of the product itself @returns a group of all its sizes, if there are several */
function withVariants(
  { id, name, sizeGroup, sizes }: Schema<'Product'>,
  { urlOf, units }: { urlOf: (size: ProductSize) => string; units: Units },
  data: object,
) {
  if (!sizes) return data;
  const variantOf = (size: ProductSize) => ({
    ...(size.id === id ? data : { '@type': 'Product', name: size.name, offers: offerOf(size, urlOf(size)) }),
    size: sizeInWords(size, units),
  });
  return {
    '@type': 'ProductGroup',
    name,
    productGroupID: sizeGroup,
    variesBy: ['https://schema.org/size'],
    hasVariant: sizes.map(variantOf),
  };
}
