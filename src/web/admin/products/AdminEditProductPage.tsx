import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { catalogMessages } from '../../../shared/catalog';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { ProductForm } from './ProductForm';
import { productQuery, type StaffProduct } from './queries';
import { type Refetch, useEditProduct, viewOf } from './useEditProduct';

export function AdminEditProductPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useQuery({ ...productQuery(id), staleTime: 0 });
  const { data: product, error, refetch, isFetchedAfterMount } = read;
  return (
    <>
      <AdminHead title="Edit Product" back={{ to: '/products' }} />
      {/* the form must start with the shop's current values, not with cached ones */}
      {product && isFetchedAfterMount && <EditForm key={product.id} product={product} refetch={refetch} />}
      {!product && error && (
        <ReadFailure
          read={read}
          failure={catalogMessages.getProduct.failure}
          back={{ to: '/products', label: 'Products' }}
        />
      )}
      {!isFetchedAfterMount && !error && (
        <Waiting what="the product">
          <span className={`skeleton ${form['waiting']}`} />
        </Waiting>
      )}
    </>
  );
}

interface Props {
  product: StaffProduct;
  refetch: Refetch;
}

function EditForm({ product, refetch }: Props) {
  const { basis, save, error, isSaving } = useEditProduct(product, refetch);
  return (
    <ProductForm
      basis={basis}
      savedPhotos={product.photos}
      cancelTo={viewOf(product.id)}
      isSaving={isSaving}
      error={error}
      onSave={save}
    />
  );
}
