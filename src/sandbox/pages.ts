import type { FieldErrors, FieldName, EchoedFields } from './cardForm';
import { Html, markup } from './markup';
import { pageStyle } from './pageStyle';
import type { Provider } from './provider';
import type { Line, Session } from './records';

type Shop = Pick<Provider, 'shopName' | 'logo'>;

/** The card form, with the errors of the last attempt. */
export function payPage(
  { shopName, logo }: Shop,
  session: Session,
  tried: { alert?: string; errors?: FieldErrors; shownAgain?: EchoedFields } = {},
): string {
  const { errors = {} } = tried;
  const shown = tried.shownAgain ?? { email: session.customerEmail ?? '', expiry: '', name: '', zip: '' };
  const alert = tried.alert ?? (Object.keys(errors).length > 0 ? 'Check the highlighted fields.' : null);
  const firstWrong = Object.keys(errors)[0];
  const field = (name: FieldName, label: string, value: string, attributes: Html) =>
    formField({ name, label, value, attributes, error: errors[name], hasFocus: name === firstWrong });

  return layout(
    `${alert ? 'Error: ' : ''}Pay ${shopName}`,
    markup`${backLink(session, shopName)}
      ${logoImage(logo)}
      <h1>Pay ${shopName}</h1>
      ${alert ? markup`<p class="alert" role="alert">${alert}</p>` : null}
      <div class="columns">
        <section class="card" aria-labelledby="summary">
          <h2 id="summary">Order summary</h2>
          ${summary(session)}
        </section>
        <form class="card" method="post" action="/c/pay/${session.id}" novalidate aria-labelledby="payment">
          <h2 id="payment">Pay with card</h2>
          ${field('email', 'Email', shown.email, markup`type="email" autocomplete="email" maxlength="254"`)}
          ${field('cardNumber', 'Card number', '', markup`inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242" maxlength="40"`)}
          <div class="pair">
            ${field('expiry', 'Expiration date', shown.expiry, markup`inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="9"`)}
            ${field('cvc', 'Security code', '', markup`inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="4"`)}
          </div>
          ${field('name', 'Name on card', shown.name, markup`autocomplete="cc-name" maxlength="100"`)}
          ${field('zip', 'ZIP code', shown.zip, markup`inputmode="numeric" autocomplete="postal-code" maxlength="10"`)}
          <button type="submit">Pay ${money(session.amount, session.currency)}</button>
          ${testCardsHint}
        </form>
      </div>`,
  );
}

/** Stands in for the bank's page that asks the cardholder to confirm (3-D Secure). */
export function confirmPage({ shopName }: Shop, session: Session): string {
  const amount = money(session.amount, session.currency);
  return layout(
    'Confirm your payment',
    markup`<form class="card narrow" method="post" action="/c/pay/${session.id}/confirm">
      <h1>Confirm your payment</h1>
      <p>
        Approve this payment of ${amount} to ${shopName} with your card ending in
        ${session.authentication?.card.last4 ?? ''}?
      </p>
      <button name="answer" value="complete">Approve</button>
      <button class="quiet" name="answer" value="fail">Decline</button>
      <button class="quiet" name="answer" value="cancel">Cancel</button>
    </form>`,
  );
}

export function paidPage({ shopName }: Shop, session: Session, shopUrl: string): string {
  return messagePage('Already paid', `Your payment of ${money(session.amount, session.currency)} went through.`, {
    url: shopUrl,
    shopName,
  });
}

export function expiredPage({ shopName }: Shop, session: Session): string {
  const link = session.cancelUrl === null ? null : { url: session.cancelUrl, shopName };
  return messagePage(
    'This link has expired',
    "This payment page expired, and your card wasn't charged. Go back to the shop to start again.",
    link,
  );
}

export function unknownPage(): string {
  return messagePage('Page not found', "There's no payment at this address.", null);
}

export function refusedPage(title: string, text: string): string {
  return messagePage(title, text, null);
}

function messagePage(title: string, text: string, link: { url: string; shopName: string } | null): string {
  const back = link && markup`<p><a href="${link.url}">Back to ${link.shopName}</a></p>`;
  return layout(
    title,
    markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      ${back}
    </section>`,
  );
}

/** The style must match the content policy's hash byte for byte. */
function layout(title: string, content: Html): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>${new Html(pageStyle)}</style>
      </head>
      <body>
        <header class="test">Test payment – no money moves</header>
        <main>${content}</main>
      </body>
    </html>
  `.text;
}

/** In the page itself: the content policy allows pictures of no other origin. */
const logoImage = (logo: Shop['logo']): Html | null =>
  logo === undefined
    ? null
    : markup`<p><img src="data:image/png;base64,${logo.png.toString('base64')}" alt="" width="${Math.ceil(logo.width / 2)}" height="${Math.ceil(logo.height / 2)}" /></p>`;

function backLink(session: Session, shopName: string): Html | null {
  return session.cancelUrl === null
    ? null
    : markup`<a class="back" href="${session.cancelUrl}">Back to ${shopName}</a>`;
}

function summary({ lines, amount, discount, currency }: Session): Html {
  const row = (line: Line) =>
    markup`<tr>
      <th scope="row">
        ${line.name} <span class="quantity">${line.quantity} × ${money(line.unitAmount, currency)}</span>
      </th>
      <td>${money(line.unitAmount * line.quantity, currency)}</td>
    </tr>`;
  return markup`<table>
    <tbody>
      ${lines.map(row)}
      ${
        discount
          ? markup`<tr>
              <th scope="row">${discount.name} <span class="quantity">Discount</span></th>
              <td>−${money(discount.amount, currency)}</td>
            </tr>`
          : null
      }
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        <td>${money(amount, currency)}</td>
      </tr>
    </tfoot>
  </table>`;
}

type Field = {
  name: string;
  label: string;
  value: string;
  attributes: Html;
  error: string | undefined;
  hasFocus: boolean;
};

function formField({ name, label, value, attributes, error, hasFocus }: Field): Html {
  const describedBy = error ? markup`aria-invalid="true" aria-describedby="${name}-error"` : null;
  return markup`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      required
      ${attributes}
      ${describedBy}
      ${hasFocus ? markup`autofocus` : null}
    />
    ${error ? markup`<p class="error" id="${name}-error">${error}</p>` : null}
  </div>`;
}

const testCardsHint = markup`<details>
  <summary>Test cards</summary>
  <p>Use any future date, any security code, and any ZIP code.</p>
  <ul>
    <li>4242 4242 4242 4242 is approved</li>
    <li>4000 0000 0000 0002 is declined</li>
    <li>4000 0000 0000 9995 has insufficient funds</li>
    <li>4000 0025 0000 3155 asks you to confirm first</li>
  </ul>
</details>`;

function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
