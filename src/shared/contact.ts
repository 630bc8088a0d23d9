/** Lengths in characters. The contract has the same limits. */
export const contactLimits = { fullName: 120, phone: 40, reason: 5000, website: 200 } as const;

export const inboxLimits = { reply: 5000 } as const;

/** Labels of a message's state in the inbox. */
export const messageStateLabels = { new: 'Unread', read: 'Read', answered: 'Answered' } as const;

/** Messages of the contact form. Rule: docs/rules/contact-and-mail.md, Messages */
export const contactFormMessages = {
  createContactMessage: { success: 'Message sent', failure: 'Failed to send your message' },
  listMessages: { success: 'Messages', failure: 'Failed to fetch messages' },
  getMessage: { success: 'Message', failure: 'Failed to fetch message' },
  setMessageState: { success: 'Message updated', failure: 'Failed to update the message' },
  replyToMessage: { success: 'Your answer is on its way', failure: 'Failed to send your answer' },
  noMessages: 'No messages found.',
  noReplies: 'Not answered yet',
  replyUnsent: 'Your answer is not sent yet.',
  intro: 'Questions about a seasoning, an order, or a larger amount for your kitchen.',
  queued: (messages: number) =>
    messages === 1
      ? 'Your message is kept on this device and will be sent when you are online.'
      : `Your ${messages} messages are kept on this device and will be sent when you are online.`,
  held: 'Your message will be sent when you are online, as long as this page stays open.',
  sent: 'Thank you',
  sentText: 'Your message was sent. We will answer by email.',
} as const;
