/**
 * The colors that an owner can choose for the shop: links, buttons, selection, the crimson fields and bands. Each has the
 * same lightness in each step, so that all have the contrast of the first one (tests/shared/brandPalettes.test.ts).
 * Rule: docs/rules/back-office.md, Brand
 */
type Palette = {
  label: string;
  /** The steps of `wonjo` in src/web/ui/palettes.ts, from light to dark. */
  steps: readonly string[];
  /** On a dark screen: a button, the same under the pointer, a quiet and a stronger background. */
  night: readonly [solid: string, hover: string, subtle: string, muted: string];
};

export const paletteSteps = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] as const;

/** `crimson` is the initial one, the theme's own. */
export const brandPalettes = {
  crimson: {
    label: 'Crimson',
    steps: hexes('FDF2F5 FAE0E7 F4BFCD EE98AF DD6485 BE3360 9B1D48 7D1539 5F112D 420C20 2A0714'),
    night: ['#C83A6B', '#B83060', '#2D1629', '#44203A'],
  },
  indigo: {
    label: 'Indigo',
    steps: hexes('F3F5FD E3E7F9 C7CDF3 A7B0EF 8088E1 5E63C5 484BA2 393B83 2A2D64 1D1F45 11122C'),
    night: ['#656AD0', '#5A5FC0', '#1B1D33', '#282B4B'],
  },
  green: {
    label: 'Green',
    steps: hexes('F2F7F3 DFECE2 BED7C3 96C2A1 63A375 35824F 21673A 18522D 133E22 0D2B17 071A0D'),
    night: ['#33824D', '#2D7948', '#122417', '#1B3623'],
  },
  blue: {
    label: 'Blue',
    steps: hexes('F0F6F9 DBEBF1 B5D6E3 87BFD5 479EBE 067C9C 01617B 004D63 013A4C 002836 001922'),
    night: ['#047FA1', '#067391', '#0B232C', '#0F3440'],
  },
  plum: {
    label: 'Plum',
    steps: hexes('F9F3FA F0E3F3 E0C5E6 CFA3D9 B576C4 954EA5 783886 602C6C 492152 321639 200D24'),
    night: ['#9E54AF', '#914AA1', '#28192C', '#3B2540'],
  },
  clay: {
    label: 'Clay',
    steps: hexes('FCF3F0 F7E3DC EEC6B6 E4A38A D07653 B14E22 90380D 742B08 582107 3D1606 270D04'),
    night: ['#B65023', '#A74619', '#2F1910', '#452518'],
  },
} as const satisfies Record<string, Palette>;

export type PaletteName = keyof typeof brandPalettes;
export const initialPalette: PaletteName = 'crimson';

export const paletteLabels = Object.fromEntries(
  Object.entries(brandPalettes).map(([name, { label }]) => [name, label]),
) as Record<PaletteName, string>;

/** The color of buttons and of the app's title bar. */
export const accentOf = (name: PaletteName): string => brandPalettes[name].steps[paletteSteps.indexOf(600)] ?? '';

/**
 * The style sheet that gives a page these colors. A plain `html` wins over the theme, which stands in a layer.
 * @returns CSS in one line
 */
export function paletteStyles(name: PaletteName): string {
  const { steps, night } = brandPalettes[name];
  const [solid, hover, subtle, muted] = night;
  const light = steps.map((color, index) => [`wonjo-${paletteSteps[index]}`, color] as const);
  const dark = { solid, hover, subtle, muted, emphasized: muted };
  const accents = Object.entries(dark).map(([part, color]) => [`accent-${part}`, color] as const);
  return `html{${declarations(light)}}@media (prefers-color-scheme:dark){html{${declarations(accents)}}}`;
}

const declarations = (colors: readonly (readonly [name: string, color: string])[]): string =>
  colors.map(([name, color]) => `--c-colors-${name}:${color}`).join(';');

function hexes(text: string): readonly string[] {
  return text.split(' ').map((digits) => `#${digits}`);
}
