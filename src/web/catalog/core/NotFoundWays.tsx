import { ButtonLink } from '../../ui/ButtonLink';
import { CategoryLinks } from './CategoryLinks';

/** The ways on from a page that isn't there, besides the home page. */
export const NotFoundWays = () => (
  <>
    <ButtonLink to="/search" size="lg" variant="outline">
      Search
    </ButtonLink>
    <CategoryLinks isSecondary />
  </>
);
