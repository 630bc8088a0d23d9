/** The ring of what has the focus, for Chakra's parts that would draw a thinner one of their own. */
export const focusRing = { outline: '3px solid', outlineColor: 'focusRing', outlineOffset: '2px' } as const;
