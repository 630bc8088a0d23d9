/** Error messages used in more than one place. */
export const errorMessages = {
  invalid: 'Invalid request',
  unreadable: "We couldn't read the request",
  notStorable: "The text contains a character we can't save",
  tooOften: 'Too many requests. Try again in a moment.',
  noSpace: "The shop is out of storage space and can't save this right now",
} as const;
