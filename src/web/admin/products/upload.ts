import { listen } from '../../browser/listen';
import { authorized } from '../../server/client';
import type { Send } from '../../server/send';

/**
 * A `fetch` that reports the upload's progress, which the browser's `fetch` cannot.
 * @param form the body
 * @param onProgress gets 0 to 1
 */
export const withProgress = (form: FormData, onProgress: (sent: number) => void): Send =>
  authorized((request) => carry(request, form, onProgress));

function carry(request: Request, form: FormData, onProgress: (sent: number) => void): Promise<Response> {
  const call = new XMLHttpRequest();
  call.open(request.method, request.url);
  call.responseType = 'json';
  for (const [name, value] of request.headers) {
    if (name !== 'content-type') call.setRequestHeader(name, value); // the browser adds the form's boundary
  }
  listen(call.upload, 'progress', ({ loaded, total }: ProgressEvent) => onProgress(total > 0 ? loaded / total : 0));
  return new Promise((resolve, reject) => {
    const fail = () => reject(new TypeError('no response from the server'));
    listen(call, 'load', () => {
      const answer: unknown = call.response;
      if (typeof answer === 'object' && answer !== null) resolve(Response.json(answer, { status: call.status }));
      else fail();
    });
    listen(call, 'error', fail);
    listen(call, 'abort', fail);
    call.send(form);
  });
}
