import { Icon } from './Icon';

/**
 * A product's picture at 80 by 80, derived from the URL of any of its sizes.
 * @param imageUrl such as /pictures/5e1f0c7a9b3d2846-640.webp; without one a jar icon is shown
 */
export function Thumbnail({ imageUrl }: { imageUrl: string | null }) {
  const base = imageUrl?.replace(/-\d+\.webp$/, '');
  return (
    <span className="thumb">
      {base ? (
        <picture>
          <source type="image/avif" srcSet={`${base}-160.avif`} />
          <img src={`${base}-160.webp`} width={80} height={80} alt="" loading="lazy" decoding="async" />
        </picture>
      ) : (
        <Icon name="jar" size={24} />
      )}
    </span>
  );
}
