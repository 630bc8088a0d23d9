import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { catalogMessages, categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { productQuery } from '../core/queries';
import { ReadFailure } from '../../connection/ReadFailure';
import { isNowhere } from '../../server/errors';
import { buttonClass } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { NotFoundPage } from '../core/NotFoundPage';
import { PageTitle } from '../../ui/PageMeta';
import { breadcrumbs, PageMeta, sharedFile } from '../../ui/PageMeta';
import { Waiting } from '../../ui/Waiting';
import { BackLink } from './BackLink';
import { ProductDetails } from './ProductDetails';
import details from './ProductDetails.module.css';
import skeleton from './ProductSkeleton.module.css';

const route = getRouteApi('/shop/customer/view/product/$id');

export function ProductPage() {
  const { id } = route.useParams();
  const read = useQuery(productQuery(id));
  const { data: product, error } = read;
  if (isNowhere(error)) return <NotFoundPage />;
  if (product) {
    return (
      <>
        <ProductMeta product={product} />
        {product.archived ? <NoLongerSold /> : <ProductDetails product={product} />}
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
  const { id, name, pageTitle, sku, barcode, description, picture, productCategory, archived } = product;
  const path = router.buildLocation({ to: '/customer/view/product/$id', params: { id } }).href;
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
              {
                '@type': 'Product',
                name,
                description,
                sku: sku ?? id,
                ...(barcode && { gtin: barcode }),
                category: ofCategory,
                ...(picture && { image: [origin + sharedFile(picture)] }),
                offers: {
                  '@type': 'Offer',
                  url: origin + path,
                  price: product.price.toFixed(2),
                  priceCurrency: 'USD',
                  availability: `https://schema.org/${product.availability ? 'InStock' : 'OutOfStock'}`,
                },
              },
              breadcrumbs(origin, [
                { name: ofCategory, path: category },
                { name, path },
              ]),
            ]
      }
    />
  );
}
