/** The brand's design tokens (colors, typography, radii, shadows), layered over the base in theme.ts. */
import { defineConfig } from '@chakra-ui/react/styled-system';
import { palettes } from './palettes';
import { lightDark, values } from './tokens';

const tokens = {
  colors: palettes,
  fonts: values({
    heading: "'Young Serif', 'Young Serif as Georgia', 'Young Serif as Times', 'Iowan Old Style', Georgia, serif",
    body: "'Figtree Variable', 'Figtree as Arial', 'Figtree', system-ui, sans-serif",
  }),
  radii: values({ xs: '2px', sm: '4px', md: '8px', lg: '12px', xl: '20px', full: '999px' }),
  durations: values({ fast: '140ms', moderate: '220ms', slow: '360ms' }),
  easings: values({
    standard: 'cubic-bezier(.2,0,0,1)',
    enter: 'cubic-bezier(.05,.7,.1,1)',
    exit: 'cubic-bezier(.3,0,.8,.15)',
  }),
  zIndex: { tabbar: { value: 20 } },
  spacing: values({
    section: 'clamp(3.5rem, 2.6rem + 3.9vw, 6rem)',
    gutter: 'clamp(1.25rem, 0.5rem + 3.2vw, 4rem)',
  }),
  sizes: values({ container: '1240px', thumb: '80px', touch: '44px' }),
};

/** Text and background colors by meaning. */
const tones = {
  success: { fg: lightDark('{colors.leaf.700}', '{colors.leaf.200}'), bg: lightDark('{colors.leaf.100}', '#16301F') },
  warning: { fg: lightDark('{colors.palm.700}', '{colors.palm.200}'), bg: lightDark('{colors.palm.100}', '#33260F') },
  error: { fg: lightDark('{colors.chili.600}', '{colors.chili.200}'), bg: lightDark('{colors.chili.100}', '#3A1912') },
  info: { fg: lightDark('{colors.gara.600}', '{colors.gara.200}'), bg: lightDark('{colors.gara.100}', '#232548') },
};
const toneTexts = { error: tones.error.fg, warning: tones.warning.fg, success: tones.success.fg, info: tones.info.fg };

const invertedBg = lightDark('{colors.rice.900}', '{colors.rice.50}');
const faintLine = lightDark('{colors.rice.100}', '#242440');
const controlLine = lightDark('{colors.rice.450}', '#7F7E9E');
const focusRing = lightDark('{colors.gara.600}', '{colors.palm.300}');
const strongAccent = lightDark('{colors.wonjo.100}', '#44203A');

/** The `colorPalette` of a tone. */
const tonePalette = ({ fg, bg }: (typeof tones)[keyof typeof tones], solid: Color, contrast: Color) => ({
  solid,
  contrast,
  fg,
  subtle: bg,
  muted: bg,
  emphasized: bg,
  focusRing,
  border: fg,
});
type Color = ReturnType<typeof lightDark>;

const semanticColors = {
  bg: {
    DEFAULT: lightDark('{colors.rice.50}', '{colors.gara.950}'),
    panel: lightDark('{colors.rice.0}', '#1A1A30'),
    subtle: lightDark('{colors.rice.100}', '#17172B'),
    muted: lightDark('{colors.rice.200}', '#26263F'),
    emphasized: lightDark('{colors.rice.300}', '#33334F'),
    inverted: invertedBg,
    night: lightDark('{colors.gara.900}', '#0B0B18'),
    error: tones.error.bg,
    warning: tones.warning.bg,
    success: tones.success.bg,
    info: tones.info.bg,
  },
  fg: {
    DEFAULT: lightDark('{colors.rice.900}', '#F4F1EA'),
    muted: lightDark('{colors.rice.600}', '#BDB8C6'),
    subtle: lightDark('#6B655D', '#A19CAE'),
    inverted: lightDark('{colors.rice.50}', '{colors.rice.900}'),
    onNight: lightDark('{colors.rice.100}', '{colors.rice.100}'),
    onNightMuted: lightDark('{colors.gara.200}', '{colors.gara.200}'),
    onNightAccent: lightDark('{colors.palm.400}', '{colors.palm.400}'),
    ...toneTexts,
  },
  border: {
    DEFAULT: lightDark('{colors.rice.200}', '#2E2E4A'),
    muted: faintLine,
    subtle: faintLine,
    emphasized: lightDark('{colors.rice.300}', '#45456A'),
    control: controlLine,
    inverted: invertedBg,
    ...toneTexts,
  },
  focusRing,
  accent: {
    solid: lightDark('{colors.wonjo.600}', '#C83A6B'),
    hover: lightDark('{colors.wonjo.700}', '#B83060'),
    contrast: lightDark('{colors.rice.0}', '{colors.rice.0}'),
    fg: lightDark('{colors.wonjo.600}', '{colors.wonjo.300}'),
    subtle: lightDark('{colors.wonjo.50}', '#2D1629'),
    muted: strongAccent,
    emphasized: strongAccent,
    focusRing,
    border: controlLine,
  },
  success: tonePalette(
    tones.success,
    lightDark('{colors.leaf.600}', '{colors.leaf.300}'),
    lightDark('{colors.rice.0}', '{colors.leaf.950}'),
  ),
  warn: tonePalette(
    tones.warning,
    lightDark('{colors.palm.400}', '{colors.palm.300}'),
    lightDark('{colors.palm.950}', '{colors.palm.950}'),
  ),
  error: tonePalette(
    tones.error,
    lightDark('{colors.chili.600}', '{colors.chili.300}'),
    lightDark('{colors.rice.0}', '{colors.chili.950}'),
  ),
  savory: {
    field: lightDark('{colors.palm.300}', '#6E440A'),
    onField: lightDark('{colors.rice.900}', '{colors.palm.50}'),
  },
  spices: {
    field: lightDark('{colors.wonjo.600}', '{colors.wonjo.700}'),
    onField: lightDark('{colors.rice.0}', '{colors.wonjo.50}'),
  },
};

const semanticTokens = {
  colors: semanticColors,
  radii: values({ l1: '{radii.sm}', l2: '{radii.md}', l3: '{radii.lg}' }),
  shadows: {
    xs: lightDark('0 1px 2px rgb(31 27 40 / .06)', '0 1px 2px rgb(0 0 0 / .4)'),
    sm: lightDark('0 1px 3px rgb(31 27 40 / .08), 0 1px 1px rgb(31 27 40 / .04)', '0 1px 3px rgb(0 0 0 / .45)'),
    md: lightDark(
      '0 6px 18px -6px rgb(31 27 40 / .16), 0 2px 4px rgb(31 27 40 / .05)',
      '0 8px 22px -6px rgb(0 0 0 / .6), 0 0 0 1px rgb(255 255 255 / .04)',
    ),
    lg: lightDark(
      '0 24px 60px -16px rgb(31 27 40 / .32), 0 4px 12px rgb(31 27 40 / .08)',
      '0 28px 64px -16px rgb(0 0 0 / .75), 0 0 0 1px rgb(255 255 255 / .06)',
    ),
  },
};

interface TextStyle {
  fontSize: string;
  lineHeight: string;
  letterSpacing?: string;
  fontWeight?: string;
}

const textStyle =
  (fontFamily: string) =>
  ({ fontSize, lineHeight, letterSpacing = '0', fontWeight = '400' }: TextStyle) => ({
    value: { fontFamily, fontSize, lineHeight, letterSpacing, fontWeight },
  });
const heading = textStyle('heading');
const body = textStyle('body');

const textStyles = {
  display: heading({
    fontSize: 'clamp(2.75rem, 1.61rem + 4.87vw, 5.75rem)',
    lineHeight: '0.98',
    letterSpacing: '-0.022em',
  }),
  h1: heading({ fontSize: 'clamp(2rem, 1.62rem + 1.62vw, 3rem)', lineHeight: '1.06', letterSpacing: '-0.016em' }),
  h2: heading({ fontSize: 'clamp(1.5rem, 1.31rem + 0.81vw, 2rem)', lineHeight: '1.14', letterSpacing: '-0.01em' }),
  h3: heading({
    fontSize: 'clamp(1.1875rem, 1.14rem + 0.2vw, 1.3125rem)',
    lineHeight: '1.25',
    letterSpacing: '-0.005em',
  }),
  lead: body({ fontSize: 'clamp(1.0625rem, 0.99rem + 0.3vw, 1.25rem)', lineHeight: '1.5' }),
  body: body({ fontSize: '1rem', lineHeight: '1.55' }),
  bodyStrong: body({ fontSize: '1rem', lineHeight: '1.4', fontWeight: '600' }),
  ui: body({ fontSize: '0.9375rem', lineHeight: '1.4', fontWeight: '500' }),
  small: body({ fontSize: '0.875rem', lineHeight: '1.45' }),
  caption: body({ fontSize: '0.8125rem', lineHeight: '1.4', letterSpacing: '0.005em', fontWeight: '500' }),
  price: body({ fontSize: '1.0625rem', lineHeight: '1.2', fontWeight: '600' }),
  priceLg: body({
    fontSize: 'clamp(1.5rem, 1.4rem + 0.4vw, 1.75rem)',
    lineHeight: '1.1',
    letterSpacing: '-0.01em',
    fontWeight: '500',
  }),
  adminTitle: body({ fontSize: '1.375rem', lineHeight: '1.25', letterSpacing: '-0.012em', fontWeight: '600' }),
  adminCell: body({ fontSize: '0.875rem', lineHeight: '1.4', fontWeight: '450' }),
};

const outlined = { outline: { bg: 'bg.panel', borderColor: 'border.control' } };

const recipes = {
  button: {
    base: { fontWeight: '600', transitionDuration: 'fast' },
    variants: {
      size: {
        sm: { h: '9' },
        md: { h: '11', px: '5', minW: '11' },
        lg: { h: '13', px: '7', textStyle: 'bodyStrong' },
      },
      variant: {
        solid: { bg: 'colorPalette.solid', color: 'colorPalette.contrast' },
        outline: { borderColor: 'border.control', bg: 'bg.panel', color: 'fg', _hover: { bg: 'bg.subtle' } },
        ghost: { color: 'fg', _hover: { bg: 'bg.muted' } },
      },
    },
    defaultVariants: { size: 'md', variant: 'solid' },
  },
  input: {
    variants: { size: { md: { '--input-height': 'sizes.12', px: '3.5', textStyle: 'body' } }, variant: outlined },
  },
  textarea: { variants: { variant: outlined } },
  badge: { base: { borderRadius: 'full', fontWeight: '600' } },
};

export const brand = defineConfig({
  conditions: { dark: '@media (prefers-color-scheme: dark)' },
  theme: {
    breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1280px' },
    tokens,
    semanticTokens,
    textStyles,
    recipes,
  },
  globalCss: {
    html: { colorPalette: 'accent' },
    body: { bg: 'bg', color: 'fg', fontFamily: 'body' },
    '*:focus-visible': { outline: '3px solid', outlineColor: 'focusRing', outlineOffset: '2px' },
    '::placeholder': { color: 'fg.subtle', opacity: 1 },
    '*, *::before, *::after': {
      _motionReduce: {
        animationDuration: '1ms !important',
        transitionDuration: '1ms !important',
        scrollBehavior: 'auto !important',
      },
    },
  },
});
