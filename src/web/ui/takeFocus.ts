/** A ref callback that focuses the element as soon as it is mounted, before the focus can go elsewhere. */
export const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });
