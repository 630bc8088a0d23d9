import { shopDescription } from '../../shared/brand';
import { heroPicture } from '../../shared/brandPictures.gen';
import { PageMeta } from '../ui/PageMeta';
import { About } from './About';
import { CategoryTiles } from './CategoryTiles';
import { Hero } from './Hero';
import { ProductShelf } from './ProductShelf';

export function HomePage() {
  return (
    <>
      <PageMeta description={shopDescription} path="/" picture={heroPicture} />
      <Hero />
      <CategoryTiles />
      <ProductShelf />
      <About />
    </>
  );
}
