import { listen } from '../browser/listen';

/**
 * Prints the page. The title is what browsers propose as the name of the file.
 * @param onDone when it was printed, or given up
 * @returns how to take the title back before that
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
