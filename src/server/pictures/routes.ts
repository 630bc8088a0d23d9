import { catalogStaffMessages as messages } from '../../shared/catalogStaff';
import { presentStaffProduct } from '../catalog/present';
import { getProductForStaff } from '../catalog/staffProducts';
import type { ContractApi } from '../http/contract/contract';
import type { PictureStore } from './files';
import { acceptPicture, removePicture } from './uploads';

export function pictureRoutes(api: ContractApi, { pictureStore }: { pictureStore: PictureStore }): void {
  api.on('uploadPicture', async ({ tx, params, body, session, by, now }) => {
    const { userId: byUserId } = session;
    await acceptPicture(tx, pictureStore, { productId: params.id, file: body.file, byUserId, by, now });
    const product = presentStaffProduct(await getProductForStaff(tx, params.id));
    return { message: messages.uploadPicture.success, data: { product } };
  });
  api.on('removePicture', async ({ tx, params, by, now }) => {
    await removePicture(tx, params.id, by, now);
    const product = presentStaffProduct(await getProductForStaff(tx, params.id));
    return { message: messages.removePicture.success, data: { product } };
  });
}
