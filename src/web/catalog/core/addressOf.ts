/** The address of a product's page for search engines and link previews: the readable one, if it has one. */
export const addressOf = ({ id, slug }: { id: string; slug?: string | undefined }) =>
  slug === undefined
    ? ({ to: '/customer/view/product/$id', params: { id } } as const)
    : ({ to: '/p/$slug', params: { slug } } as const);
