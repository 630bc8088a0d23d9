import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { catalogSays } from '../../../shared/catalog';
import { useHonestSentence } from '../../connection/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { ProductForm } from './ProductForm';
import { productQuery, type StaffProduct } from './queries';
import { type Refetch, useEditProduct, viewOf } from './useEditProduct';

export function AdminEditProductPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: product, error, refetch, isFetchedAfterMount } = useQuery({ ...productQuery(id), staleTime: 0 });
  const failure = useHonestSentence(catalogSays.getProduct.failure);
  return (
    <>
      <AdminHead title="Edit Product" back={{ to: '/products' }} />
      {/* a form begins with what the shop has now, not with what was read before */}
      {product && isFetchedAfterMount && <EditForm key={product.id} product={product} refetch={refetch} />}
      {!product && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!isFetchedAfterMount && !error && (
        <output className={`skeleton ${form['waiting']}`} aria-label="Loading the product" />
      )}
    </>
  );
}

interface Props {
  product: StaffProduct;
  refetch: Refetch;
}

function EditForm({ product, refetch }: Props) {
  const { basis, save, error, isSaving, progress } = useEditProduct(product, refetch);
  return (
    <ProductForm
      basis={basis}
      imageUrl={product.imageUrl}
      cancelTo={viewOf(product.id)}
      isSaving={isSaving}
      progress={progress}
      error={error}
      onSave={save}
    />
  );
}
