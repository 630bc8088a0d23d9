/**
 * Vite's part for the theme: `import 'virtual:theme.css'` is what Chakra would work out and insert in the browser (reset,
 * tokens, global rules), worked out once when the app is built, and a class for each of the theme's text styles. Pages are
 * written with it alone; Chakra itself loads with the first field, dialog or menu.
 */
import path from 'node:path';
import { runnerImport } from 'vite';

const name = 'virtual:theme.css';
/** Of Emotion's withTheme alone, which nothing here calls; as a CommonJS package it would stay in the bundle. */
const unused = 'hoist-non-react-statics';
const theme = path.resolve(import.meta.dirname, '../web/ui/theme.ts');
/** What Chakra's provider does without from then on: the rules in its style elements, and the reset they begin with. */
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
  enforce: 'pre', // before Vite finds the package that is left out
  resolveId: (id) => (id === name || id === unused ? `\0${id}` : undefined),
  load: {
    filter: { id: /^\0(?:virtual:theme\.css|hoist-non-react-statics)$/ },
    async handler(id) {
      if (id === `\0${unused}`) return 'export default (target) => target;';
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

/** `.text-price-lg` for the text style priceLg, and so on. They yield to every class of a page. */
function textStyles(system) {
  const names = Object.keys(system._config.theme.textStyles);
  return {
    '@layer recipes': Object.fromEntries(
      names.map((name) => [`.text-${spelled(name)}`, system.css({ textStyle: name })]),
    ),
  };
}

/** Chakra's style objects as text: rules in rules, `&` for nothing (they stand in no other), properties in camel case. */
const write = (rules) =>
  Object.entries(rules)
    .map(([key, value]) =>
      typeof value === 'object' ? `${key.replaceAll('&', '')}{${write(value)}}` : `${spelled(key)}:${value};`,
    )
    .join('');

const spelled = (property) =>
  property.startsWith('--') ? property : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
