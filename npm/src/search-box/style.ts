/** The style sheet of a search box. */
export const STYLE = `
  :host {
    display: block;
    font: inherit;
    line-height: 1.5;
    --box-ink: var(--smooth-clir-ink, light-dark(#1d2429, #ebe7df));
    --box-soft: var(--smooth-clir-ink-soft, light-dark(#545c61, #aab0b3));
    --box-surface: var(--smooth-clir-surface, light-dark(#fffdf9, #1d2227));
    --box-line: var(--smooth-clir-line, light-dark(#8b8578, #79828a));
    --box-accent: var(--smooth-clir-accent, light-dark(#17527a, #86c3ea));
    --box-mark: var(--smooth-clir-mark, light-dark(#f6dfb0, #5a4519));
    --box-radius: var(--smooth-clir-radius, 0.5em);
    --box-thin: color-mix(in srgb, var(--box-line) 35%, transparent);
    color: var(--box-ink);
  }
  :host([hidden]), [hidden] { display: none !important; }
  form > label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  [part="field"] { position: relative; }
  svg {
    position: absolute; inset-block-start: calc(50% - 0.6em); inset-inline-start: 0.9em; inline-size: 1.2em; block-size: 1.2em;
    fill: none; stroke: var(--box-soft); stroke-width: 2; stroke-linecap: round; pointer-events: none;
  }
  #query {
    box-sizing: border-box; inline-size: 100%; min-block-size: 3em;
    font: inherit; font-size: max(1em, 16px); color: inherit; background: var(--box-surface);
    border: 1px solid var(--box-line); border-radius: var(--box-radius);
  }
  /* The room for the icon is on the side of the field's direction: the query has a direction of its own. */
  [part="field"]:dir(ltr) #query { padding: 0.5em 0.9em 0.5em 2.75em; }
  [part="field"]:dir(rtl) #query { padding: 0.5em 2.75em 0.5em 0.9em; }
  #query::placeholder { color: var(--box-soft); opacity: 1; }
  :is(input, select, a, button, summary):focus-visible { outline: 3px solid var(--box-accent); outline-offset: 2px; }
  details { margin-block-start: 0.35em; }
  summary { padding-block: 0.6em; cursor: pointer; color: var(--box-soft); }
  fieldset { max-block-size: 14em; margin: 0 0 0.5em; padding: 0.25em 0.75em; overflow-y: auto; border: 1px solid var(--box-line); border-radius: var(--box-radius); }
  fieldset label { display: flex; gap: 0.5em; align-items: center; min-block-size: 2.75em; overflow-wrap: anywhere; }
  fieldset input { inline-size: 1.25em; min-block-size: 1.25em; flex: none; margin: 0; accent-color: var(--box-accent); }
  [part="line"] { display: flex; flex-wrap: wrap; gap: 0.5em; min-block-size: 1.5em; margin-block: 0.6em; font-size: 0.9em; color: var(--box-soft); font-variant-numeric: tabular-nums; }
  [part="reason"] { overflow-wrap: anywhere; font-size: 0.85em; color: var(--box-soft); }
  [part="reason"]:empty { display: none; }
  [part="query-language"] { margin-inline-start: auto; }
  select { font: inherit; color: inherit; background: var(--box-surface); border: 1px solid var(--box-thin); border-radius: var(--box-radius); }
  p { margin: 0; }
  ol, ul { margin: 0; padding: 0; list-style: none; }
  li { overflow-wrap: anywhere; }
  ol > li { padding-block: 0.9em; border-block-start: 1px solid var(--box-thin); }
  a { color: var(--box-accent); text-decoration: none; border-radius: 0.2em; }
  a:hover { text-decoration: underline; text-underline-offset: 0.15em; }
  [part="title"] { font-size: 1.1em; font-weight: 600; }
  small { color: var(--box-soft); font-size: 0.8em; }
  [part="text"] { margin-block-start: 0.15em; font-size: 0.95em; color: var(--box-soft); }
  ul { margin-block-start: 0.6em; border-inline-start: 2px solid var(--box-thin); }
  ul > li { padding-inline-start: 1em; }
  ul > li + li { margin-block-start: 0.7em; }
  [part="section-title"] { font-weight: 500; }
  mark { padding-inline: 0.1em; color: var(--box-ink); background: var(--box-mark); border-radius: 0.2em; }
  :is(a, strong) mark { padding: 0; color: inherit; background: linear-gradient(var(--box-mark), var(--box-mark)); }
  [part="gloss"] { font-size: 0.9em; font-style: italic; }
  button {
    min-block-size: 44px; padding: 0.4em 1em; font: inherit; color: var(--box-accent); cursor: pointer;
    background: none; border: 1px solid var(--box-thin); border-radius: var(--box-radius);
  }
  button:hover { background: color-mix(in srgb, var(--box-accent) 8%, transparent); }
  [part~="more"] { inline-size: 100%; margin-block-start: 0.5em; }
  [part~="more-sections"] { margin-block-start: 0.5em; font-size: 0.9em; }
  @media (pointer: coarse) {
    select { min-block-size: 44px; font-size: 16px; }
    a { display: inline-block; padding-block: 0.65em; }
    ol > li { padding-block: 0.3em 0.9em; }
    ul { margin-block-start: 0; }
    ul > li + li { margin-block-start: 0.2em; }
    [part="text"] { margin-block-start: -0.25em; }
  }
  @media (forced-colors: active) {
    svg { stroke: GrayText; }
    mark, :is(a, strong) mark { forced-color-adjust: none; color: MarkText; background: Mark; }
    button { border-color: ButtonText; }
  }
`;
