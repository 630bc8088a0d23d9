import { listen } from '../browser/listen';

/**
 * Prints the page. Browsers suggest the title as the file name.
 * @param onDone called when the print dialog closes
 * @returns a function that restores the title before the dialog closes
 */
export function printAs(title: string, onDone?: () => void): () => void {
  const oldTitle = document.title;
  const restoreTitle = () => {
    stop();
    document.title = oldTitle;
  };
  const stop = listen(window, 'afterprint', () => {
    restoreTitle();
    onDone?.();
  });
  document.title = title;
  window.print();
  return restoreTitle;
}
