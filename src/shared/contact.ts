/** Lengths in characters. The contract has the same limits. */
export const contactLimits = { fullName: 120, phone: 40, reason: 5000, website: 200 } as const;

export const inboxLimits = { reply: 5000 } as const;

/** Labels of a message's state in the inbox. */
export const messageStateLabels = { new: 'Unread', read: 'Read', answered: 'Replied' } as const;

/** Messages of the contact form. Rule: docs/rules/contact-and-mail.md, Messages */
export const contactFormMessages = {
  createContactMessage: { success: 'Message sent', failure: "Couldn't send your message. Try again." },
  listMessages: { success: 'Messages', failure: "Couldn't load messages" },
  getMessage: { success: 'Message', failure: "Couldn't load the message" },
  setMessageState: { success: 'Message updated', failure: "Couldn't update the message. Try again." },
  replyToMessage: { success: 'Reply sent', failure: "Couldn't send your reply. Try again." },
  needed: 'Fields with * are required.',
  noMessages: 'No messages found.',
  noReplies: 'No reply yet',
  replyUnsent: "Your reply hasn't been sent.",
  intro: 'Ask us about a spice, an order, or bulk sizes for your kitchen.',
  /** Once the owner has written About Us: the shop may sell anything. */
  introOfOwn: 'Ask us about a product or an order.',
  queued: (messages: number) =>
    messages === 1
      ? "Your message is saved on this device. We'll send it when you're back online."
      : `Your ${messages} messages are saved on this device. We'll send them when you're back online.`,
  held: "Keep this page open. We'll send your message when you're back online.",
  sent: 'Thanks for your message!',
  sentText: "We'll reply by email.",
} as const;
