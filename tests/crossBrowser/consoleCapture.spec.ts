import { phone, until } from './tab';
import { test } from './harness';

/** Tests the harness: an engine that hides its console would pass with any fault. */
test('the harness sees what a page complains about', async ({ openBrowser, engine }) => {
  const { tab, heard } = await openBrowser(phone);
  await tab.open('/contact');
  await tab.sees({ role: 'button', name: 'Send' });
  const complaints: [what: string, complain: () => void, says: RegExp][] = [
    ['an error that is written', writeError, /it is written/],
    ['a warning that is written', writeWarning, /it is warned/],
    ['an error that nobody catches', throwLater, /it is thrown/],
    ['a refusal that nobody catches', () => void Promise.reject(new Error('it is refused')), /it is refused/],
    ['a script that the policy refuses', addScript, /policy|directive/],
  ];
  // Chromium says nothing of an eval that is rejected and caught
  if (engine !== 'chromium') complaints.push(['an eval that the policy refuses', evalLater, /eval/]);
  // Firefox says nearly the same of a font in flight when the page was left, which does not count
  if (engine !== 'webkit') complaints.push(['a font that is not there', addFont, /no-such-font/]);
  for (const [what, complain, messages] of complaints) {
    await tab.run(complain, null);
    await until(what, async () => (await heard()).some((line) => messages.test(line)));
  }
});

/** Runs in the page, like the next ones. */
function writeError(): void {
  // oxlint-disable-next-line eslint/no-console -- it is what the walk must hear
  console.error('it is written');
}

function writeWarning(): void {
  // oxlint-disable-next-line eslint/no-console -- it is what the walk must hear
  console.warn('it is warned');
}

/** Code run by a driver is no script of the page, so it waits. */
function throwLater(): void {
  setTimeout(() => {
    throw new Error('it is thrown');
  });
}

function addScript(): void {
  document.head.append(Object.assign(document.createElement('script'), { textContent: 'void 0' }));
}

function addFont(): void {
  document.fonts.add(new FontFace('No Such Font', 'url(/assets/no-such-font.woff2)'));
  document.body.style.fontFamily = 'No Such Font';
}

function evalLater(): void {
  setTimeout(() => {
    try {
      Reflect.construct(Function, ['']);
    } catch {
      // as a library's feature detection does
    }
  });
}
