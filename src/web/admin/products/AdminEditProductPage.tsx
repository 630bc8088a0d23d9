import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { catalogSays } from '../../../shared/catalog';
import { ApiError } from '../../api/apiError';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';
import { ProductForm } from './ProductForm';
import { valuesOf } from './productValues';
import { productQuery, type StaffProduct } from './queries';
import { useFinish, useUpdateProduct } from './useSaveProduct';

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
  refetch: () => Promise<{ data: StaffProduct | undefined }>;
}

function EditForm({ product, refetch }: Props) {
  const [opened] = useState(product);
  const [values] = useState(() => valuesOf(product));
  // after a refusal both values are shown: what is saved next is meant for the product as it is then
  const [changed, setChanged] = useState<StaffProduct>();
  const { mutate: update, isPending, error } = useUpdateProduct();
  const { finish, progress, isFinishing } = useFinish();
  return (
    <ProductForm
      values={values}
      imageUrl={product.imageUrl}
      cancelTo={`/view/product/${opened.id}`}
      isSaving={isPending || isFinishing}
      progress={progress}
      error={error}
      changed={changed}
      onSave={(checked, picture, isSaved) =>
        update(
          { id: opened.id, values: checked, quantityWas: opened.quantity, version: (changed ?? opened).version },
          {
            onSuccess: () => {
              isSaved();
              void finish(opened.id, picture, false);
            },
            onError: (refusal) => {
              if (!(refusal instanceof ApiError) || refusal.code !== 'product_changed') return;
              void refetch().then(({ data }) => data && setChanged(data));
            },
          },
        )
      }
    />
  );
}
