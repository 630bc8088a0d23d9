import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { catalogSays } from '../../shared/catalog';
import { isRefusal } from '../api/apiError';
import { useHonestSentence } from '../offline/useHonestSentence';
import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';
import { FailureNotice } from '../ui/FailureNotice';
import { NotFoundPage } from '../ui/NotFoundPage';
import { PageTitle } from '../ui/PageTitle';
import { BackLink } from './BackLink';
import { ProductDetails } from './ProductDetails';
import { ProductMeta } from './ProductMeta';
import { ProductSkeleton } from './ProductSkeleton';
import { productQuery } from './queries';

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
