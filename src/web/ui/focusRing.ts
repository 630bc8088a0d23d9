/**
 * The ring of what has the focus, for Chakra's parts that would draw a thinner one of their own. Each property by itself: a
 * recipe's `outlineColor` keeps its earlier place, where a later `outline` would undo it.
 */
export const focusRing = {
  outlineWidth: '3px',
  outlineStyle: 'solid',
  outlineColor: 'focusRing',
  outlineOffset: '2px',
} as const;
