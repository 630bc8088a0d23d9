/**
 * Cuts blocks out of a drawn page, from one sign to the next with `indexOf`: patterns with open ends would take long on a
 * long page.
 */

/** What stands between `<name …>` and `</name>`, for each in the page's order, with the tag's attributes. */
export function blocksOf(html: string, name: 'script' | 'style'): { attributes: string; content: string }[] {
  const blocks: { attributes: string; content: string }[] = [];
  for (let at = html.indexOf(`<${name}`); at >= 0; at = html.indexOf(`<${name}`, at)) {
    const opened = html.indexOf('>', at);
    const closed = html.indexOf(`</${name}>`, opened);
    if (opened < 0 || closed < 0) break;
    blocks.push({ attributes: html.slice(at + 1 + name.length, opened), content: html.slice(opened + 1, closed) });
    at = closed;
  }
  return blocks;
}

/** The tags of a <head> with which drawn HTML begins: without one in the tree, React writes them first. */
export function leadingHead(html: string): string {
  let end = 0;
  for (;;) {
    const isTitle = html.startsWith('<title', end);
    if (!isTitle && !html.startsWith('<link', end) && !html.startsWith('<meta', end)) return html.slice(0, end);
    const sign = isTitle ? '</title>' : '>';
    end = html.indexOf(sign, end) + sign.length;
  }
}

/** The template without its title: the page has its own. */
export function withoutTitle(html: string): string {
  const [begin, end] = [html.indexOf('<title>'), html.indexOf('</title>')];
  return begin < 0 || end < begin ? html : html.slice(0, begin) + html.slice(end + '</title>'.length);
}
