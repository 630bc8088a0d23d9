import { AdminHead } from '../ui/AdminHead';
import { ProductForm } from './ProductForm';
import { emptyProduct } from './productValues';
import { useCreateProduct, useFinish } from './useSaveProduct';

export function AdminNewProductPage() {
  const { mutate: create, isPending, error } = useCreateProduct();
  const { finish, isFinishing } = useFinish();
  return (
    <>
      <AdminHead title="Add new Product" back={{ to: '/products' }} />
      <ProductForm
        basis={{ values: emptyProduct }}
        savedPhotos={[]}
        cancelTo="/products"
        isSaving={isPending || isFinishing}
        error={error}
        onSave={(form) =>
          create(
            { values: { ...form.values, ...form.sizes.toSend().fields } },
            { onSuccess: ({ product }) => void finish(product.id, form, true) },
          )
        }
      />
    </>
  );
}
