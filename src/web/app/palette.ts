import { initialPalette, type PaletteName, paletteStyles } from '../../shared/brandPalettes';

/**
 * Gives the open page the shop's colors, where the server didn't: offline, or when the owner changed them meanwhile.
 * @param palette undefined: the initial one
 */
export function showPalette(palette: PaletteName | undefined): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(paletteStyles(palette ?? initialPalette));
  document.adoptedStyleSheets = [sheet];
  if (palette) document.documentElement.dataset['palette'] = palette;
  else delete document.documentElement.dataset['palette'];
}
