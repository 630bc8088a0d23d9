import type { ImgHTMLAttributes } from 'react';

interface Props extends Pick<ImgHTMLAttributes<HTMLImageElement>, 'className'> {
  /** `placeholder` is the color that it is of as a whole. */
  picture: { base: string; widths: readonly number[]; alt: string; placeholder?: string };
  /** How wide it is drawn, in the words of the `sizes` attribute. */
  sizes: string;
  /** In the first view: fetched at once, before what is further down. */
  isFirst?: boolean;
  /** The words beside it say the same. */
  isDecoration?: boolean;
  /** Height by width; square when left out. */
  ratio?: number;
}

/**
 * A picture in the sizes that the server keeps, AVIF where the browser knows it; while it loads its place is kept, in its
 * color. (Not by a style in the page: the content policy allows none.)
 */
export function Picture({ picture, sizes, isFirst = false, isDecoration = false, ratio = 1, className }: Props) {
  const { base, widths, alt, placeholder = '' } = picture;
  const ground = (image: HTMLImageElement | null, color: string) => image && (image.style.backgroundColor = color);
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
        ref={(image) => void (image?.complete || ground(image, placeholder))}
        onLoad={({ currentTarget }) => ground(currentTarget, '')}
      />
    </picture>
  );
}
