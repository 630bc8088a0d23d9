/** Links to photos in imported files. Rule: docs/rules/catalog.md, Photos from links */

/** The longest link to a photo, in characters. */
export const maxPhotoLink = 2000;

export const photoLinkMessages = {
  notALink: 'Enter a link that starts with https://',
  tooLong: 'Use a link of 2,000 characters or fewer',
  // the end of the sentence that `photoProblem` makes
  unknown: 'something went wrong',
  damaged: 'the file is damaged',
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
  `The photo${line === null ? '' : ` at line ${line}`} could not be loaded: ${reason}.`;
