import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { catalogSays } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { bannerTitle } from '../catalog/CategoryBanner';
import { productQuery } from '../catalog/queries';
import { useHonestSentence } from '../connection/useHonestSentence';
import { isRefusal } from '../server/errors';
import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';
import { FailureNotice } from '../ui/FailureNotice';
import { NotFoundPage } from '../ui/NotFoundPage';
import { PageTitle } from '../ui/PageMeta';
import { breadcrumbs, PageMeta, sharedFile } from '../ui/PageMeta';
import { BackLink, ProductDetails } from './ProductDetails';
import details from './ProductDetails.module.css';
import skeleton from './ProductSkeleton.module.css';

const route = getRouteApi('/shop/customer/view/product/$id');

export function ProductPage() {
  const { id } = route.useParams();
  const { data: product, error, refetch } = useQuery(productQuery(id));
  if (isRefusal(error)) return <NotFoundPage />;
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
      {error ? <Failed onRetry={refetch} /> : <ProductSkeleton />}
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => unknown }) {
  return (
    <div className="wrap">
      <h1 className="sr-only" tabIndex={-1}>
        Product
      </h1>
      <FailureNotice sentence={useHonestSentence(catalogSays.getProduct.failure)} onRetry={onRetry} />
      <BackLink />
    </div>
  );
}

function NoLongerSold() {
  return (
    <EmptyState title={catalogSays.noLongerSold}>
      <ButtonLink to="/products/$category" params={{ category: 'spices' }} size="lg">
        Back
      </ButtonLink>
    </EmptyState>
  );
}

/** A square and three lines, until the product is there. */
function ProductSkeleton() {
  return (
    <div className={`wrap ${details['detail']}`} aria-busy="true">
      <div className={details['back']}>
        <span className={skeleton['back']} />
      </div>
      <div className={`skeleton ${details['picture']}`} />
      <div className={details['facts']}>
        {/* takes no focus: that is for the product's own name, which comes in its place */}
        <h1 className="sr-only">Product</h1>
        <output className="sr-only">Loading the product</output>
        <span className={`skeleton ${skeleton['name']}`} />
        <span className={`skeleton ${skeleton['price']}`} />
        <span className={`skeleton ${skeleton['text']}`} />
      </div>
    </div>
  );
}

const maxDescription = 300;

function ProductMeta({ product }: { product: Schema<'Product'> }) {
  const router = useRouter();
  const { origin } = router;
  const { id, name, description, picture, productCategory, archived } = product;
  const path = router.buildLocation({ to: '/customer/view/product/$id', params: { id } }).href;
  const category = router.buildLocation({ to: '/products/$category', params: { category: productCategory.name } }).href;
  const categoryTitle = bannerTitle(productCategory.name, productCategory.title);
  return (
    <PageMeta
      title={name}
      description={description.slice(0, maxDescription) || `${name}, from ${categoryTitle}`}
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
                sku: id,
                category: categoryTitle,
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
                { name: categoryTitle, path: category },
                { name, path },
              ]),
            ]
      }
    />
  );
}
