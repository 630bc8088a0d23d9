/**
 * Who may import whom: `npm run boundaries`, a step of `npm test`. A room is a folder, the imports between rooms go one way,
 * and the import of a type counts like any other. There is no list of exceptions.
 */
const inside = (...folders) => folders.map((folder) => `^${folder}/`);

/** The rooms of the browser app that its features stand on, each with those that it may import. */
const webGround = {
  browser: [],
  server: ['browser'],
  outbox: ['browser', 'server', 'device', 'ui'],
  device: ['browser', 'server', 'outbox', 'ui'],
  ui: ['browser'],
};

export default {
  forbidden: [
    rule('no circle of files', {}, { circular: true }),
    { ...rule('no circle of folders', {}, { circular: true }), scope: 'folder' },
    rule('what is imported is there', {}, { couldNotResolve: true, pathNot: '^virtual:|/(?:dist|[.]cache)/' }),

    rule('shared imports only itself', { path: '^src/shared/', pathNot: '/(?:zod|cart)[.]ts$' }, not('src/shared')),
    rule(
      'zod comes without made code',
      { path: '^src/(?:shared|web)/', pathNot: '/shared/zod[.]ts$' },
      { path: '^node_modules/zod/' },
    ),
    rule('ids of lines use uuid alone', { path: '^src/shared/cart[.]ts$' }, not('src/shared', 'node_modules/uuid')),
    rule(
      'zod stays in forms',
      { path: '^src/shared/', pathNot: 'Forms[.]ts$' },
      { path: '^src/shared/(?:.*Forms|zod)[.]ts$' },
    ),

    rule('the browser app shares only src/shared', { path: '^src/web/' }, { path: '^(?:src/(?!web/|shared/)|sw/)' }),
    rule('the server knows no browser app', { path: '^src/server/' }, { path: '^(?:src/(?:web|tools)/|sw/)' }),
    rule('the service worker shares only src/shared', { path: '^sw/' }, { path: '^src/(?!shared/)' }),
    rule('the test provider knows no shop', { path: '^src/sandbox/' }, { path: '^(?:src/(?!sandbox/)|sw/)' }),
    rule(
      'tools load packages only when needed',
      { path: '^src/tools/' },
      { ...not('src/tools'), dependencyTypesNot: ['core'], dynamic: false },
    ),

    rule(
      'no room knows what is made of it',
      { path: '^src/(?:server|web)/[^/]+/', pathNot: '^src/server/(?:process|jobs)/' },
      { path: '^src/(?:server/(?:main[.]ts|process/|jobs/)|web/(?:main|renderPage)[.]tsx$)' },
    ),
    rule('core stands on nothing', { path: '^src/server/core/' }, { path: '^src/server/(?!core/)' }),
    rule('db knows no feature', { path: '^src/server/db/' }, { path: '^src/server/(?!core/|db/)[^/]+/' }),
    rule('http knows no feature', { path: '^src/server/http/' }, { path: '^src/server/(?!core/|http/|db/)[^/]+/' }),
    rule(
      "no feature uses another's repository",
      { path: '^src/server/([^/]+)/' },
      { path: '^src/server/.*[rR]epository[.]ts$', pathNot: '^src/server/$1/' },
    ),

    ...Object.entries(webGround).map(([room, below]) =>
      rule(
        `web/${room} stands on ${below.join(', ') || 'nothing'}`,
        { path: `^src/web/${room}/` },
        { path: '^src/web/', pathNot: inside(...[room, ...below].map((each) => `src/web/${each}`)) },
      ),
    ),
    rule('web/browser has no word of the shop', { path: '^src/web/browser/' }, { path: '^src/shared/' }),
    rule(
      'no feature knows the app',
      { path: '^src/web/[^/]+/', pathNot: `^src/web/(?:app|${Object.keys(webGround).join('|')})/` },
      { path: '^src/web/app/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true, // imports of types too
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules|[.]gen[.]ts$' },
    exclude: { path: '^dist/|^src/server/db/migrations/' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.d.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};

function rule(name, from, to) {
  return { name, severity: 'error', from, to };
}

function not(...folders) {
  return { pathNot: inside(...folders) };
}
