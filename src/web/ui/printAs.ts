import { listen } from '../browser/listen';

/**
 * Prints the page. Browsers suggest the title as the file name.
 * @param onDone called when the print dialog closes
 * @returns a function that restores the title earlier
 */
export function printAs(title: string, onDone?: () => void): () => void {
  const before = document.title;
  const takeBack = () => {
    stop();
    document.title = before;
  };
  const stop = listen(window, 'afterprint', () => {
    takeBack();
    onDone?.();
  });
  document.title = title;
  window.print();
  return takeBack;
}
