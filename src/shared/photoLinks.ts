/** Links to photos in imported files. Rule: docs/rules/catalog.md, Photos from links */

/** The longest link to a photo, in characters. */
export const maxPhotoLink = 2000;

export const photoLinkMessages = {
  notALink: 'Enter a link that starts with https://',
  tooLong: 'Use a link of 2,000 characters or fewer',
} as const;

/** Why a photo couldn't be loaded: the end of the sentence that `photoProblem` makes. */
export const downloadMessages = {
  notHttps: "the link doesn't start with https://",
  hasPassword: 'the link contains a password',
  notPublic: 'the link leads to a private network',
  unknownName: 'there is no server with this name',
  certificate: "the server's certificate isn't valid",
  lost: "the server didn't answer",
  tooSlow: 'the server took too long',
  tooManyRedirects: 'the server redirected it more than 3 times',
  tooLarge: 'the file is larger than 10 MB',
  status: (status: number) => `the server said ${status}`,
  notAPicture: "the file isn't a JPG, PNG, WebP, AVIF, or GIF photo",
  tooManyPixels: 'it has more than 40 megapixels, or a side of more than 16,383 pixels',
  tooMany: 'the product has 10 photos already',
  damaged: 'the file is damaged',
  unknown: 'something went wrong',
} as const;

/**
 * Checks a link before anything is loaded. Whether its server is a public one is only known when it is loaded.
 * @returns what is wrong with it, or undefined
 */
export function photoLinkProblem(link: string): string | undefined {
  if (link.length > maxPhotoLink) return photoLinkMessages.tooLong;
  return /^https:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(link) ? undefined : photoLinkMessages.notALink;
}

/**
 * @param line of the imported file, counted from 1
 * @param reason the end of the sentence: 'the server said 404'
 */
export const photoProblem = (line: number | null, reason: string): string =>
  `The photo${line === null ? '' : ` at line ${line}`} couldn't be loaded: ${reason}.`;
