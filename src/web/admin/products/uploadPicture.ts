import type { Schema } from '../../../shared/contract';
import { catalogStaffSays } from '../../../shared/catalogStaff';
import { accessToken } from '../../api/accessToken';
import { ApiError } from '../../api/apiError';
import { renewSession } from '../../api/client';
import { reachability } from '../../offline/reachability';

/**
 * Sends a picture and tells how far it is, which `fetch` cannot. The rest is as in api/client.ts: a call that is refused
 * for its token gets a new one and is sent once more.
 * @param onProgress is told 0 to 1
 * @throws ApiError when the server refused, or no answer of ours came
 */
export async function uploadPicture(
  productId: string,
  file: File,
  onProgress: (sent: number) => void,
): Promise<Schema<'StaffProduct'>> {
  const key = crypto.randomUUID();
  let answer = await send(productId, file, key, onProgress);
  if (answer.status === 401) {
    await renewSession();
    answer = await send(productId, file, key, onProgress);
  }
  if (answer.status >= 400) {
    throw new ApiError(answer.status, { message: catalogStaffSays.uploadPicture.failure, ...answer.body });
  }
  return (answer.body as { data: { product: Schema<'StaffProduct'> } }).data.product;
}

interface Answer {
  status: number;
  body: object;
}

function send(id: string, file: File, key: string, onProgress: (sent: number) => void): Promise<Answer> {
  const request = new XMLHttpRequest();
  request.open('PUT', `/api/admin/products/${encodeURIComponent(id)}/picture`);
  request.responseType = 'json';
  request.setRequestHeader('idempotency-key', key);
  const token = accessToken.get();
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  const form = new FormData();
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const fail = () => {
      reachability.sawFailure();
      reject(new ApiError(0, { code: 'no_connection', message: catalogStaffSays.uploadPicture.failure }));
    };
    request.addEventListener('load', () => {
      const body: unknown = request.response;
      if (typeof body === 'object' && body !== null) resolve({ status: request.status, body });
      else fail(); // not an answer of our API
    });
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    request.send(form);
  });
}
