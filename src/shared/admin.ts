/** Messages used throughout the back office. */
export const adminMessages = {
  forStaff: "This page is for the shop's staff.",
  forOwner: "This page is for the shop's owner.",
  noExport: 'Failed to export the list',
  leaveTitle: 'Leave without saving?',
  leaveText: 'What you changed on this page is not saved yet.',
  leave: 'Leave',
  stay: 'Stay',
} as const;
