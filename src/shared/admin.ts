/** Messages used throughout the back office. */
export const adminMessages = {
  forStaff: 'Only staff can see this page.',
  forOwner: 'Only the owner can see this page.',
  noExport: "Couldn't export the list. Try again.",
  leaveTitle: 'Leave without saving?',
  leaveText: "Your changes on this page haven't been saved.",
  leave: 'Leave',
  stay: 'Stay',
  chooseAndSave: 'Choose which value to keep for each field, then save again.',
} as const;
