/** Runs the work after the next paint, so that an expensive render doesn't delay the feedback to the click. */
export const afterPaint = (work: () => void): void => void requestAnimationFrame(() => setTimeout(work));
