/** Every palette that an owner can choose is readable, on light and on dark screens. WCAG 2.2, 1.4.3 and 1.4.11 */
import { expect, test } from 'vitest';
import {
  brandPalettes,
  initialPalette,
  type PaletteName,
  paletteSteps,
  paletteStyles,
} from '../../src/shared/brandPalettes';
import { palettes } from '../../src/web/ui/palettes';
import { brand } from '../../src/web/ui/brand';

const names = Object.keys(brandPalettes) as PaletteName[];
const colorsOf = (name: PaletteName) => {
  const { steps, night } = brandPalettes[name];
  const [solid, hover, subtle, muted] = night;
  const step = (wanted: (typeof paletteSteps)[number]) => steps[paletteSteps.indexOf(wanted)] ?? '';
  return { step, solid, hover, subtle, muted };
};

/** The backgrounds and the quiet text of src/web/ui/brand.ts. */
const light = { page: '#FAF9F6', panel: '#FFFFFF', subtle: '#F3F1EB', text: '#1F1B28', quietText: '#5F5952' };
const dark = { page: '#111122', panel: '#1A1A30', subtle: '#17172B', text: '#F4F1EA', quietText: '#BDB8C6' };
const white = '#FFFFFF';

test('there are six palettes, and the first is the theme’s own', () => {
  expect(names).toHaveLength(6);
  const { steps, night } = brandPalettes[initialPalette];
  expect(steps).toEqual(paletteSteps.map((step) => palettes.wonjo[step]?.value));
  const accent = brand.theme?.semanticTokens?.colors?.['accent'] as Record<string, { value: { _dark: string } }>;
  expect(night).toEqual(['solid', 'hover', 'subtle', 'muted'].map((part) => accent[part]?.value._dark));
});

test.each(names)('%s has enough contrast on a light screen', (name) => {
  const { step } = colorsOf(name);
  for (const background of [light.page, light.panel, light.subtle, step(50), step(100)])
    expect(contrast(step(600), background), `a link on ${background}`).toBeGreaterThanOrEqual(4.5);
  for (const button of [step(600), step(700)])
    expect(contrast(white, button), `the label of a button in ${button}`).toBeGreaterThanOrEqual(4.5);
  for (const text of [light.text, light.quietText])
    expect(contrast(text, step(100)), `${text} on a selected row`).toBeGreaterThanOrEqual(4.5);
});

test.each(names)('%s has enough contrast on a dark screen', (name) => {
  const { step, solid, hover, subtle, muted } = colorsOf(name);
  for (const background of [dark.page, dark.panel, dark.subtle, subtle, muted])
    expect(contrast(step(300), background), `a link on ${background}`).toBeGreaterThanOrEqual(4.5);
  for (const button of [solid, hover])
    expect(contrast(white, button), `the label of a button in ${button}`).toBeGreaterThanOrEqual(4.5);
  for (const background of [dark.page, dark.panel])
    expect(contrast(solid, background), `a button on ${background}`).toBeGreaterThanOrEqual(3);
  for (const text of [dark.text, dark.quietText])
    expect(contrast(text, muted), `${text} on a selected row`).toBeGreaterThanOrEqual(4.5);
  expect(contrast(step(50), step(700)), 'a category’s tile').toBeGreaterThanOrEqual(4.5);
});

test('a palette’s style sheet sets every step, and the four colors of dark screens', () => {
  const css = paletteStyles('green');
  expect(css).toMatch(/^html\{--c-colors-wonjo-50:#F2F7F3;/);
  expect(css.match(/--c-colors-wonjo-/g)).toHaveLength(paletteSteps.length);
  expect(css).toContain('@media (prefers-color-scheme:dark){html{--c-colors-accent-solid:#33824D;');
});

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
