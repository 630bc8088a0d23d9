import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { createSystem, defineConfig } from '@chakra-ui/react/styled-system';
import { spinnerRecipe } from '@chakra-ui/react/theme';
import { brand } from './brand';
import { keyframes, scales } from './scales';

/**
 * Only the recipe that several parts need, and never Chakra's `defaultSystem`, which has them all. The
 * other parts (dialog, menu, field) bring theirs through the `recipe` prop. For the shop's pages all that is left of this
 * in the browser is a style sheet: src/tools/themeStyles.mjs.
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
  // Chakra's own selector for light is stronger than the brand's media query for dark, and would always win
  conditions: { light: '@media (prefers-color-scheme: light)' },
});

export const system = createSystem(defaultBaseConfig, base, brand, finish);
