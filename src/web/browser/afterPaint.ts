/** Does work once what is drawn now is seen: where much is to be drawn, the press that asks for it is answered first. */
export const afterPaint = (work: () => void): void => void requestAnimationFrame(() => setTimeout(work));
