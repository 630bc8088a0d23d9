/** Error messages used in more than one place. */
export const errorMessages = {
  invalid: 'Invalid request',
  unreadable: 'The request could not be read',
  notStorable: 'The text has a character that cannot be stored',
  tooOften: 'This was asked for too often. Please try again in a moment.',
  noSpace: 'The shop has no room to save this right now',
} as const;
