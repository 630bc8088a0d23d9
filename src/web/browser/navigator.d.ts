/** Browser properties that TypeScript's types lack. */
interface Navigator {
  /** Chromium only; a browser extension may replace it. */
  readonly connection?: Partial<EventTarget> & {
    saveData?: boolean;
    /** 'cellular', 'wifi', …; on phones only. */
    type?: string;
    /** 'slow-2g', '2g', '3g' or '4g': the recently measured speed. */
    effectiveType?: string;
  };

  /**
   * Safari only: true in an app on the Home Screen or in the Dock, false in a browser tab. On an iPhone all browsers
   * use Safari's engine. Rule: docs/iphone.md, Installing
   */
  readonly standalone?: boolean;
}
