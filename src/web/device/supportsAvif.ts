/** An AVIF picture of 2 by 2 pixels, encoded the way the shop encodes its pictures. */
const sample =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAA' +
  'AERAAAEAAQAAAAAA+gABAAAAAAAAACUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4' +
  'aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAtbWRhdBIA' +
  'Cgc4ADaQENBpMhgZQmMEw88880AAAJBAyRxhSmuO1kvFzGA=';

/** Whether this browser supports AVIF. It decodes an embedded picture, so that nothing is fetched to find out. */
export async function supportsAvif(): Promise<boolean> {
  try {
    const bytes = Uint8Array.from(atob(sample), (char) => char.charCodeAt(0));
    await createImageBitmap(new Blob([bytes], { type: 'image/avif' }));
    return true;
  } catch {
    return false;
  }
}
