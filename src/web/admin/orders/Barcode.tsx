import JsBarcode from 'jsbarcode';
import styles from './Barcode.module.css';

/** White at both sides, which scanners need, in widths of the thinnest bar. */
const quiet = 10;

/** A text as a barcode (Code 128), for the scanner at the packing table. */
export function Barcode({ text, label }: { text: string; label: string }) {
  const bars = barsOf(text);
  const width = bars.length + 2 * quiet;
  return (
    <svg
      className={styles['bars']}
      style={{ width: `${width * 0.4}mm` }}
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing, not an image file
      role="img"
      aria-label={label}
    >
      <path
        d={[...bars.matchAll(/1+/g)]
          .map(({ 0: bar, index }) => `M${quiet + index} 0h${bar.length}v1h-${bar.length}z`)
          .join('')}
      />
    </svg>
  );
}

/** @returns '1' for each width of a bar, and '0' for each width of a gap */
function barsOf(text: string): string {
  const drawn: { encodings?: { data: string }[] } = {};
  JsBarcode(drawn, text, { format: 'CODE128' });
  return (drawn.encodings ?? []).map(({ data }) => data).join('');
}
