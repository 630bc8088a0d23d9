/** Refusals that more than one place gives. */
export const refusals = {
  invalid: 'Invalid request',
  unreadable: 'The request could not be read',
  notStorable: 'The text has a character that cannot be stored',
  tooOften: 'This was asked for too often. Please try again in a moment.',
  noRoom: 'The shop has no room to save this right now',
} as const;
