import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/server/markdown/markdown';
import { fuzzStrings, naughtyStrings } from '../../support/hostile';

test('a text of the owner has headings, paragraphs, lists, emphasis, and links', async () => {
  const html = await renderMarkdown(
    '# Delivery\n\nWe *pack* on **weekdays**.\n\n## How long\n\n- Standard: 3–5 days\n- Express: 1 day\n\n3. three',
  );
  expect(html).toBe(
    [
      '<h2>Delivery</h2>',
      '<p>We <em>pack</em> on <strong>weekdays</strong>.</p>',
      '<h2>How long</h2>',
      '<ul>\n<li>Standard: 3–5 days</li>\n<li>Express: 1 day</li>\n</ul>',
      '<ol start="3">\n<li>three</li>\n</ol>\n',
    ].join('\n'),
  );
});

test('a table keeps its cells, without the style that the page would not allow', async () => {
  const html = await renderMarkdown('| State | Days |\n| :-- | --: |\n| GA | 2 |');
  expect(html.replaceAll('\n', '')).toBe(
    '<table><thead><tr><th>State</th><th>Days</th></tr></thead><tbody><tr><td>GA</td><td>2</td></tr></tbody></table>',
  );
});

test.each([
  ['[us](/contact)', '<a href="/contact">us</a>'],
  ['[us](mailto:hello@example.com)', '<a href="mailto:hello@example.com">us</a>'],
  ['[us](tel:+15550100142)', '<a href="tel:+15550100142">us</a>'],
  ['hello@example.com', '<a href="mailto:hello@example.com">hello@example.com</a>'],
  ['[USPS](https://www.usps.com/)', '<a href="https://www.usps.com/" rel="noopener noreferrer">USPS</a>'],
  ['http://usps.com', '<a href="http://usps.com" rel="noopener noreferrer">http://usps.com</a>'],
])('%s is a link', async (markdown, html) => {
  expect(await renderMarkdown(markdown)).toBe(`<p>${html}</p>\n`);
});

test.each(['usps.com', 'rice.it', '[a](//evil.example)', '[a](ftp://files.example)'])(
  '%s is no link',
  async (markdown) => {
    expect(await renderMarkdown(markdown)).not.toContain('<a');
  },
);

test('a picture is shown as its description, and HTML as text', async () => {
  expect(await renderMarkdown('![a jar](https://evil.example/pixel.png)')).toBe('<p>a jar</p>\n');
  expect(await renderMarkdown('<b>now</b>')).toBe('<p>&lt;b&gt;now&lt;/b&gt;</p>\n');
});

/**
 * Forms of attack as the OWASP XSS Filter Evasion Cheat Sheet and public lists of Markdown attacks describe them, put
 * together here: each way to write a scheme, in each place where Markdown takes an address.
 */
const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  'java\0script:alert(1)',
  '\u0001javascript:alert(1)',
  '&#1;javascript:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '&#0000106avascript:alert(1)',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript%3Aalert(1)',
  'javascript\\:alert(1)',
  'java\\script:alert(1)',
  'javascript://shop.example/%0Aalert(1)',
  'javascript:/*--></title></style></textarea></script><svg/onload=alert(1)>',
  'vbscript:msgbox(1)',
  'livescript:alert(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+',
  'DATA:text/html,<script>alert(1)</script>',
  'blob:https://shop.example/1',
  'file:///etc/passwd',
  'feed:javascript:alert(1)',
  'view-source:javascript:alert(1)',
  'jar:https://evil.example!/a.html',
  '//evil.example/a',
  '/\\evil.example/a',
  '\\\\evil.example\\a',
  '/\t/evil.example',
  'https:javascript:alert(1)',
  'https://evil.example/"onmouseover="alert(1)',
  "https://evil.example/'onmouseover='alert(1)",
  'https://evil.example/`onmouseover=`alert(1)',
  'mailto:a@b.example"onclick="alert(1)',
  'tel:1"><img src=x onerror=alert(1)>',
  '/contact"><script>alert(1)</script>',
];
const places = [
  (url: string) => `[a](${url})`,
  (url: string) => `[a](<${url}>)`,
  (url: string) => `[a](${url} "onclick=alert(1)")`,
  (url: string) => `[a](<${url}> '"><img src=x onerror=alert(1)>')`,
  (url: string) => `[a][1]\n\n[1]: ${url}`,
  (url: string) => `[1]: <${url}> "a"\n\n[1]`,
  (url: string) => `<${url}>`,
  (url: string) => `![a](${url})`,
  (url: string) => `![" onerror="alert(1)](${url})`,
  (url: string) => `[![a](${url})](${url})`,
  (url: string) => `see ${url} now`,
  (url: string) => `# [a](${url})`,
  (url: string) => `> - [a](${url})`,
  (url: string) => `| a |\n| - |\n| [a](${url}) |`,
  (url: string) => `[a](${encodeURI(url)})`,
  (url: string) => `<a href="${url}">a</a>`,
  (url: string) => `<a\nhref='${url}'>a</a>`,
  (url: string) => `<iframe src="${url}"></iframe>`,
  (url: string) => `<form action="${url}"><button>a</button></form>`,
  (url: string) => `<math><mi xlink:href="${url}">a</mi></math>`,
  (url: string) => `<meta http-equiv="refresh" content="0;url=${url}">`,
];
const codes = ['alert(1)', 'alert`1`', '&#97;lert(1)', 'eval(name)', "top['al'+'ert'](1)"];
const elements = [
  (code: string) => `<script>${code}</script>`,
  (code: string) => `<SCRIPT/x>${code}</SCRIPT>`,
  (code: string) => `<scr<script>ipt>${code}</scr</script>ipt>`,
  (code: string) => `<script\n>${code}</script\n>`,
  (code: string) => `<<script>${code}//<</script>`,
  (code: string) => `<img src=x onerror=${code}>`,
  (code: string) => `<img src=x oneonerrorrror=${code}>`,
  (code: string) => `<img/src=x/onerror=${code}`,
  (code: string) => `<svg onload=${code}>`,
  (code: string) => `<svg><animate onbegin=${code} attributeName=x dur=1s>`,
  (code: string) => `<body onload=${code}>`,
  (code: string) => `<details open ontoggle=${code}>a</details>`,
  (code: string) => `<input autofocus onfocus=${code}>`,
  (code: string) => `<video><source onerror=${code}></video>`,
  (code: string) => `<div style="background:url(javascript:${code})">a</div>`,
  (code: string) => `<style>@import 'javascript:${code}';</style>`,
  (code: string) => `<!--><img src=x onerror=${code}>-->`,
  (code: string) => `<![CDATA[><img src=x onerror=${code}>]]>`,
  (code: string) => `<?xml ?><img src=x onerror=${code}>`,
  (code: string) => `<noscript><p title="</noscript><img src=x onerror=${code}>">`,
  (code: string) => `<math><mtext><table><mglyph><style><img src=x onerror=${code}>`,
  (code: string) => `\`\`\`"onmouseover="${code}\na\n\`\`\``,
  (code: string) => `\`<img src=x onerror=${code}>\``,
  (code: string) => `    <img src=x onerror=${code}>`,
  (code: string) => `[a]: /b "<img src=x onerror=${code}>"\n\n[a]`,
  (code: string) => `* <img src=x\n  onerror=${code}>`,
  (code: string) => `&lt;img src=x onerror=${code}&gt;`,
  (code: string) => `\\<img src=x onerror=${code}\\>`,
];
const attacks = [
  ...places.flatMap((place) => schemes.map(place)),
  ...elements.flatMap((element) => codes.map(element)),
  ...[...fuzzStrings.xss, ...fuzzStrings.redirect, ...naughtyStrings].flatMap((text) => [
    text,
    `[a](${text})`,
    `# ${text}`,
  ]),
];

const elementNames = new Set(
  'h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code strong em s a table thead tbody tr th td'.split(' '),
);

const { DOMParser } = new Window();

/** Reads the HTML as a browser does, and names everything that is not on the short list. */
function findForbidden(html: string): string[] {
  const found: string[] = [];
  const { head, body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of [...head.querySelectorAll('*'), ...body.querySelectorAll('*')]) {
    const name = element.localName;
    if (!elementNames.has(name)) found.push(`<${name}>`);
    for (const { name: attribute, value: given } of element.attributes) {
      const value = given ?? '';
      const isHref = name === 'a' && attribute === 'href' && isHarmless(value);
      const isRel = name === 'a' && attribute === 'rel' && value === 'noopener noreferrer';
      const isStart = name === 'ol' && attribute === 'start' && /^\d+$/.test(value);
      if (!isHref && !isRel && !isStart) found.push(`${name} ${attribute}=${value}`);
    }
  }
  return found;
}

/** Resolved as a browser does, on a page of the shop. */
function isHarmless(href: string): boolean {
  if (!URL.canParse(href, 'https://shop.example/pages/terms')) return false;
  const { protocol, host } = new URL(href, 'https://shop.example/pages/terms');
  if (href.startsWith('/')) return host === 'shop.example';
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol);
}

test('no attack of the public lists gets through', async () => {
  const passed: [string, string[]][] = [];
  for (const attack of attacks) {
    const forbidden = findForbidden(await renderMarkdown(attack));
    if (forbidden.length > 0) passed.push([attack, forbidden]);
  }
  expect(passed).toEqual([]);
  expect(attacks.length).toBeGreaterThan(2_000);
});

test('the search for attacks finds them', () => {
  const found = findForbidden('<p onclick="a">a</p><img src=x><a href="javascript:a">b</a><script>1</script>');
  expect(found).toEqual(['p onclick=a', '<img>', 'img src=x', 'a href=javascript:a', '<script>']);
  expect(findForbidden('<a href="//evil.example">a</a><a href="/contact">b</a>')).toEqual(['a href=//evil.example']);
});

test.each([
  ['brackets', '['.repeat(40_000)],
  ['quotes', '> '.repeat(20_000)],
  ['emphasis', '*a **b '.repeat(5_700)],
  ['unfinished links', '[a]('.repeat(10_000)],
  ['addresses', 'a@'.repeat(20_000)],
  ['tags', '<!--'.repeat(10_000)],
])('a long text of %s is rendered quickly', async (_, text) => {
  const began = performance.now();
  await renderMarkdown(text);
  expect(performance.now() - began).toBeLessThan(5_000);
});
