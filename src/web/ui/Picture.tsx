import type { ImgHTMLAttributes } from 'react';

interface Props extends Pick<ImgHTMLAttributes<HTMLImageElement>, 'className'> {
  /** `placeholder` is its average color. */
  picture: { base: string; widths: readonly number[]; alt: string; placeholder?: string };
  /** The displayed width, as in the `sizes` attribute. */
  sizes: string;
  /** In the first viewport: loaded eagerly, with high priority. */
  isFirst?: boolean;
  /** Adjacent text says the same. */
  isDecoration?: boolean;
  /** Height divided by width; defaults to square. */
  ratio?: number;
}

/**
 * A picture in the server's sizes, as AVIF where supported; its space is reserved in its color while it loads. (The
 * color is set by script, because the content policy allows no inline styles.)
 */
export function Picture({ picture, sizes, isFirst = false, isDecoration = false, ratio = 1, className }: Props) {
  const { base, widths, alt, placeholder = '' } = picture;
  const setBackground = (image: HTMLImageElement | null, color: string) =>
    image && (image.style.backgroundColor = color);
  const files = (type: string) => widths.map((width) => `${base}-${width}.${type} ${width}w`).join(', ');
  const middle = widths.includes(640) ? 640 : (widths.at(-1) ?? 640);
  return (
    <picture>
      <source type="image/avif" srcSet={files('avif')} sizes={sizes} />
      <img
        src={`${base}-${middle}.webp`}
        srcSet={files('webp')}
        sizes={sizes}
        width={middle}
        height={Math.round(middle * ratio)}
        alt={isDecoration ? '' : alt}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
        className={className}
        ref={(image) => void (image?.complete || setBackground(image, placeholder))}
        onLoad={({ currentTarget }) => setBackground(currentTarget, '')}
      />
    </picture>
  );
}
