import { catalogStaffMessages as messages } from '../../shared/catalogStaff';
import { presentStaffProduct } from '../catalog/present';
import { getProductForStaff } from '../catalog/staffProducts';
import type { Tx } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import type { PictureStore } from './files';
import { arrangePhotos, removePhoto } from './photos';
import { acceptPhoto, acceptPicture, removePicture } from './uploads';

export function pictureRoutes(api: ContractApi, { pictureStore }: { pictureStore: PictureStore }): void {
  api.on('uploadPicture', async ({ tx, params, body, session, by, now }) => {
    const { userId: byUserId } = session;
    await acceptPicture(tx, pictureStore, { productId: params.id, file: body.file, byUserId, by, now });
    return answer(tx, 'uploadPicture', params.id);
  });
  api.on('removePicture', async ({ tx, params, by, now }) => {
    await removePicture(tx, params.id, by, now);
    return answer(tx, 'removePicture', params.id);
  });
  api.on('addPhoto', async ({ tx, params, body: { file, alt }, session, by, now }) => {
    const { userId: byUserId } = session;
    await acceptPhoto(tx, pictureStore, { productId: params.id, file, alt, byUserId, by, now });
    return answer(tx, 'addPhoto', params.id);
  });
  api.on('arrangePhotos', async ({ tx, params, body, by, now }) => {
    await arrangePhotos(tx, params.id, body, by, now);
    return answer(tx, 'arrangePhotos', params.id);
  });
  api.on('removePhoto', async ({ tx, params: { id, photoId }, by, now }) => {
    await removePhoto(tx, id, photoId, by, now);
    return answer(tx, 'removePhoto', id);
  });
}

type PhotoMessages = 'uploadPicture' | 'removePicture' | 'addPhoto' | 'arrangePhotos' | 'removePhoto';
const answer = async (tx: Tx, id: PhotoMessages, productId: string) => ({
  message: messages[id].success,
  data: { product: presentStaffProduct(await getProductForStaff(tx, productId)) },
});
