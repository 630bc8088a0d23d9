import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { catalogSays } from '../../../shared/catalog';
import { catalogStaffSays, importSays } from '../../../shared/catalogStaff';
import { ApiError } from '../../api/apiError';
import { answer, api } from '../../api/client';
import { asForm, type FormFields, useStaffChange } from '../staffCalls';
import type { PictureChoice } from './PictureField';
import type { Saving } from './ProductForm';
import type { ProductBody } from './productValues';
import { categoryChoicesQuery } from './queries';
import { smallerPicture } from './smallerPicture';
import { uploadPicture } from './uploadPicture';

type NewProduct = { values: FormFields };
/** `quantityWas` and `version` are what the form showed. */
type ChangedProduct = NewProduct & { id: string; quantityWas: number; version: number };

export function useCreateProduct() {
  const cache = useQueryClient();
  return useStaffChange({
    send: async ({ values }: NewProduct, { header }) => {
      // asked when it is sent: the page may not have been drawn again since the choices came
      const categories = await cache.ensureQueryData(categoryChoicesQuery());
      const chosen = categories.find(({ name }) => name === values['category']);
      if (!chosen) throw noSuchCategory;
      return answer(
        api.POST('/admin/products/create/{categoryId}', {
          params: { path: { categoryId: chosen.id }, header },
          body: values as unknown as ProductBody,
          bodySerializer: () => asForm(values),
        }),
      );
    },
    meta: catalogSays.createProduct,
  });
}

const noSuchCategory = new ApiError(404, {
  code: 'not_found',
  message: importSays.noCategory,
  errors: [{ field: 'category', message: importSays.noCategory }],
});

export function useUpdateProduct() {
  return useStaffChange({
    send: ({ id, values, ...shown }: ChangedProduct, { header }) =>
      answer(
        api.PUT('/admin/products/update/{id}', {
          params: { path: { id }, header },
          body: values as unknown as ProductBody,
          bodySerializer: () => asForm({ ...values, ...shown }),
        }),
      ),
    meta: { ...catalogSays.updateProduct, asksFor: 'product_changed' },
  });
}

/** Sends or removes the picture after the rest was saved, and goes to the product's page. */
export function useFinish() {
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const upload = useStaffChange({
    send: async ({ id, file }: { id: string; file: File }) => {
      setProgress(0);
      return uploadPicture(id, await smallerPicture(file), setProgress);
    },
    meta: catalogStaffSays.uploadPicture,
  });
  const remove = useStaffChange({
    send: (id: string, { header }) =>
      answer(api.DELETE('/admin/products/{id}/picture', { params: { path: { id }, header } })),
    meta: { failure: catalogStaffSays.removePicture.failure },
  });
  /** @returns whether the picture is where it belongs; what went wrong was said already */
  const settlePicture = async (id: string, picture: PictureChoice): Promise<boolean> => {
    try {
      if (picture instanceof File) await upload.mutateAsync({ id, file: picture });
      if (picture === 'removed') await remove.mutateAsync(id);
      return true;
    } catch {
      return false;
    } finally {
      setProgress(undefined);
    }
  };
  const finish = async (id: string, { picture, letGo }: Pick<Saving, 'picture' | 'letGo'>, isNew: boolean) => {
    const isSettled = await settlePicture(id, picture);
    if (isLeft.current) return; // while the picture was on its way: it goes on alone
    if (isSettled || isNew) letGo();
    if (isSettled) await navigate({ to: '/view/product/$id', params: { id } });
    else if (isNew) await navigate({ to: '/update/product/$id', params: { id } });
  };
  return { finish, progress, isFinishing: upload.isPending || remove.isPending };
}
