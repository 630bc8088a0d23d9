/** An AVIF picture of 2 by 2 pixels, made as the shop makes its own. */
const sample =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAA' +
  'AERAAAEAAQAAAAAA+gABAAAAAAAAACUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4' +
  'aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAtbWRhdBIA' +
  'Cgc4ADaQENBpMhgZQmMEw88880AAAJBAyRxhSmuO1kvFzGA=';

/** Whether this browser can draw AVIF: it is shown one, of its own page, so that nothing is fetched to know it. */
export async function knowsAvif(): Promise<boolean> {
  try {
    const bytes = Uint8Array.from(atob(sample), (letter) => letter.charCodeAt(0));
    await createImageBitmap(new Blob([bytes], { type: 'image/avif' }));
    return true;
  } catch {
    return false;
  }
}
