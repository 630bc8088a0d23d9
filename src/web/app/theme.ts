import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { createSystem, defineConfig } from '@chakra-ui/react/styled-system';
import { badgeRecipe, buttonRecipe, headingRecipe, spinnerRecipe } from '@chakra-ui/react/theme';
import { focusRing } from '../ui/focusRing';
import { brand } from './brand';
import { keyframes, scales } from './scales';

/**
 * Only the recipes of the first screen, and never Chakra's `defaultSystem`: that alone would break the budget of the
 * first load. A part that loads later (dialog, menu, field) brings its recipe through the `recipe` prop.
 */
const base = defineConfig({
  preflight: true,
  cssVarsPrefix: 'c',
  cssVarsRoot: ':where(html)',
  theme: {
    keyframes,
    tokens: scales,
    recipes: { badge: badgeRecipe, button: buttonRecipe, heading: headingRecipe, spinner: spinnerRecipe },
  },
});

/** What the brand's recipes leave to us: a disabled button stays readable, and a press moves one pixel. */
const finish = defineConfig({
  // Chakra's own selector for light is stronger than the brand's media query for dark, and would always win
  conditions: { light: '@media (prefers-color-scheme: light)' },
  theme: {
    recipes: {
      heading: { base: { textWrap: 'balance' } },
      button: {
        // Chakra's sizes name text styles that the brand does not have
        variants: { size: { md: { fontSize: '0.9375rem' }, sm: { fontSize: '0.875rem' } } },
        base: {
          textStyle: 'ui',
          lineHeight: '1',
          _focusVisible: focusRing,
          _active: { transform: 'translateY(1px)' },
          _disabled: { bg: 'bg.muted', color: 'fg.muted', borderColor: 'transparent', opacity: 1, cursor: 'disabled' },
        },
      },
    },
  },
});

export const system = createSystem(defaultBaseConfig, base, brand, finish);
