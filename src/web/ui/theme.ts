import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { createSystem, defineConfig } from '@chakra-ui/react/styled-system';
import { spinnerRecipe } from '@chakra-ui/react/theme';
import { brand } from './brand';
import { values } from './tokens';

const quarterRems = (...steps: number[]) => values(Object.fromEntries(steps.map((step) => [step, `${step / 4}rem`])));

const space = quarterRems(0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24);

/**
 * The scales used by Chakra's recipes; colors, fonts and radii come from the brand. Our own scales, because importing
 * Chakra's `tokens` would include every recipe.
 */
const scales = {
  spacing: space,
  sizes: {
    ...space,
    ...values({ full: '100%', sm: '24rem', md: '28rem', lg: '32rem', '2xl': '42rem', dvh: '100dvh' }),
  },
  fontSizes: values({ xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.25rem' }),
  fontWeights: values({ normal: '400', medium: '500', semibold: '600', bold: '700' }),
  borders: values({ sm: '1px solid', md: '2px solid' }),
  durations: values({ faster: '100ms', slowest: '800ms' }),
  zIndex: values({
    docked: '10',
    dropdown: '1000',
    sticky: '1100',
    banner: '1200',
    overlay: '1300',
    modal: '1400',
    popover: '1500',
    skipNav: '1600',
    toast: '1700',
  }),
  cursor: values({ button: 'pointer', disabled: 'not-allowed', menuitem: 'pointer' }),
  animations: values({ spin: 'spin 1s linear infinite' }),
};

const keyframes = {
  spin: { to: { transform: 'rotate(360deg)' } },
  'fade-in': { from: { opacity: '0' }, to: { opacity: '1' } },
  'fade-out': { from: { opacity: '1' }, to: { opacity: '0' } },
};

/**
 * Contains only the recipe that several components need, never Chakra's `defaultSystem`, which has them all. Other
 * components (dialog, menu) get theirs through the `recipe` prop. On storefront pages only a style sheet
 * generated from this remains (src/tools/themeStyles.mjs).
 */
const base = defineConfig({
  preflight: true,
  cssVarsPrefix: 'c',
  cssVarsRoot: ':where(html)',
  theme: {
    keyframes,
    tokens: scales,
    recipes: { spinner: spinnerRecipe },
  },
});

const finish = defineConfig({
  // Chakra's own light selector has a higher specificity than the brand's dark media query and would always win
  conditions: { light: '@media (prefers-color-scheme: light)' },
});

export const system = createSystem(defaultBaseConfig, base, brand, finish);
