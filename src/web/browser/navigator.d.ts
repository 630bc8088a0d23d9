/** What some browsers say that TypeScript does not know. */
interface Navigator {
  /** Chromium alone; an extension may put something else there. */
  readonly connection?: Partial<EventTarget> & {
    saveData?: boolean;
    /** 'cellular', 'wifi', …; known on phones only. */
    type?: string;
    /** 'slow-2g', '2g', '3g' or '4g': how fast it has been of late. */
    effectiveType?: string;
  };

  /**
   * Safari alone: true in an app on the Home Screen or in the Dock, false in a page of the browser. On an iPhone every
   * browser is Safari underneath. Rule: docs/iphone.md, Installing
   */
  readonly standalone?: boolean;
}
