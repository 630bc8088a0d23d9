import { AdminHead } from '../shell/AdminHead';
import { ProductForm } from './ProductForm';
import { emptyProduct } from './productValues';
import { useCreateProduct, useFinish } from './useSaveProduct';

export function AdminNewProductPage() {
  const { mutate: create, isPending, error } = useCreateProduct();
  const { finish, progress, isFinishing } = useFinish();
  return (
    <>
      <AdminHead title="Add new Product" back={{ to: '/products' }} />
      <ProductForm
        values={emptyProduct}
        imageUrl={null}
        cancelTo="/products"
        isSaving={isPending || isFinishing}
        progress={progress}
        error={error}
        onSave={(values, picture, isSaved) => {
          create(
            { values },
            {
              onSuccess: ({ product }) => {
                isSaved();
                void finish(product.id, picture, true);
              },
            },
          );
        }}
      />
    </>
  );
}
