/** A ref: what takes an element's place on the page takes its focus in the same step, before anything else can. */
export const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });
