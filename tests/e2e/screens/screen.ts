/** The rows of the tables beside this file, and helpers that bring a screen into its state. */
import type { Locator, Page, Route } from 'playwright/test';

type Role = Parameters<Page['getByRole']>[0];
export interface Label {
  role: Role | 'text' | 'field';
  name: string | RegExp;
  within: 'banner' | 'main' | 'contentinfo' | 'page';
  /** Only where tables are tables: narrower ones become lists, without heads. */
  isWideOnly?: true;
}
export interface Screen {
  /** What is visible. */
  name: string;
  as: 'visitor' | 'customer' | 'owner';
  path: string;
  /** Before the page is opened. */
  provoke?: (page: Page) => Promise<unknown>;
  /** Once it is loaded. */
  act?: (page: Page) => Promise<unknown>;
  labels: Label[];
  /** What the browser writes to its console because of `provoke`. */
  expected?: RegExp;
  /** It is shown only after all retries have failed: the clock is advanced past the pauses between them. */
  isTriedAgain?: true;
  /** Read and pressed at arm's length: contrast AAA, and targets of at least 56 px. */
  isAtArmsLength?: true;
  /** What `act` opened differs on a phone, so it is opened again there. */
  isOpenedPerSize?: true;
  /** Menus, dialogs and notices that open over it one after another, without a reload: each is checked, then closed. */
  opens?: Opened[];
}
export interface Opened {
  name: string;
  act: (page: Page) => Promise<unknown>;
  labels: Label[];
}

export const label = (role: Label['role'], within: Label['within']) => (name: Label['name']) => ({
  role,
  name,
  within,
});
export const heading = label('heading', 'main');
export const link = label('link', 'main');
export const button = label('button', 'main');
export const radio = label('radio', 'main');
export const text = label('text', 'main');
export const field = label('field', 'main');
export const columns = (...names: string[]): Label[] =>
  names.map((name) => ({ role: 'columnheader', name, within: 'main', isWideOnly: true }));
export const onPage = (role: Label['role'], ...names: Label['name'][]) => names.map(label(role, 'page'));

export const locate = (page: Page, { role, name, within }: Label): Locator => {
  const place = within === 'page' ? page : page.getByRole(within);
  if (role === 'text') return place.getByText(name);
  if (role === 'field') return place.getByLabel(name, { exact: true });
  return place.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) });
};

const broken = { status: 500, contentType: 'application/problem+json', body: '{"code":"internal"}' };
export const fail = (url: RegExp) => (page: Page) => page.route(url, (route) => route.fulfill(broken));
export const failing = /Failed to load resource.*500/;
export const hang = (url: RegExp) => (page: Page) => page.route(url, () => undefined);

/** The server's response with a part of it changed: the rest of the state is real. */
export const change = (url: RegExp, edit: (data: never) => void) => (page: Page) =>
  page.route(url, async (route: Route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: never };
    edit(json.data);
    await route.fulfill({ response, json });
  });

export const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();
