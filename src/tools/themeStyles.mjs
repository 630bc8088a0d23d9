/**
 * A Vite plugin for the theme: `import 'virtual:theme.css'` gives the CSS that Chakra would compute in the browser (reset,
 * tokens, global rules), computed at build time, and a class for each text style of the theme. Pages need only this CSS;
 * Chakra itself loads with the first field, dialog or menu.
 */
import path from 'node:path';

const name = 'virtual:theme.css';
/** Only Emotion's withTheme needs this package, and nothing calls it; as CommonJS it would stay in the bundle. */
const unused = 'hoist-non-react-statics';
const theme = path.resolve(import.meta.dirname, '../web/ui/theme.ts');
/** The parts of Chakra's provider that the style sheet replaces: its rules, and the reset before them. */
const leftOut = {
  'system.js': [
    ['const _global = [getPreflightCss(), getGlobalCss(), getTokenCss()];', 'const _global = [];'],
    ['const result = createPreflight({ preflight });', 'const result = {};'],
  ],
  'layers.js': [['atRule: `@layer ${names.join(", ")};`', "atRule: ''"]],
};

/** @returns {import('vite').Plugin} */
export const themeStyles = () => ({
  name: 'theme-styles',
  enforce: 'pre', // before Vite resolves the omitted package
  resolveId: (id) => (id === name || id === unused ? `\0${id}` : undefined),
  load: {
    filter: { id: /^\0(?:virtual:theme\.css|hoist-non-react-statics)$/ },
    async handler(id) {
      if (id === `\0${unused}`) return 'export default (target) => target;';
      const { runnerImport } = await import('vite');
      const { module, dependencies } = await runnerImport(theme);
      for (const file of dependencies) this.addWatchFile(path.resolve(file));
      const { layers, getPreflightCss, getGlobalCss, getTokenCss } = module.system;
      const rules = [getPreflightCss(), getGlobalCss(), getTokenCss(), textStyles(module.system)];
      return [layers.atRule, ...rules.map(write)].join('\n');
    },
  },
  transform: {
    filter: { id: /@chakra-ui\/react\/dist\/esm\/styled-system\/(?:system|layers)\.js$/ },
    handler(code, id) {
      const changes = leftOut[path.basename(id)];
      const missing = changes.find(([before]) => !code.includes(before));
      if (missing) throw new Error(`Chakra's ${path.basename(id)} reads otherwise now: it has no ${missing[0]}`);
      return { code: changes.reduce((text, [before, after]) => text.replace(before, after), code), map: null };
    },
  },
});

/** Classes such as `.text-price-lg` for the text style priceLg. Any class of a page overrides them. */
function textStyles(system) {
  const names = Object.keys(system._config.theme.textStyles);
  return {
    '@layer recipes': Object.fromEntries(
      names.map((name) => [`.text-${spelled(name)}`, system.css({ textStyle: name })]),
    ),
  };
}

/** Writes Chakra's style objects as CSS: nested rules, camel-case properties, without `&`. */
const write = (rules) =>
  Object.entries(rules)
    .map(([key, value]) =>
      typeof value === 'object' ? `${key.replaceAll('&', '')}{${write(value)}}` : `${spelled(key)}:${value};`,
    )
    .join('');

const spelled = (property) =>
  property.startsWith('--') ? property : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
