/** One page of the site. */
export interface SitePage {
  /** Its path on the web origin; its Markdown is at the same path with `.md`. */
  readonly path: string;
  /** For the hosts of the examples. Links to other pages are paths. */
  readonly markdown: string;
}

export interface NavGroup {
  readonly title: string;
  readonly links: readonly { readonly path: string; readonly label: string }[];
}
