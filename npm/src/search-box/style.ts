/** The style sheet of a search box. */
export const STYLE = `
  :host {
    display: block;
    font: inherit;
    --box-ink: var(--smooth-clir-ink, light-dark(#1d2429, #ebe7df));
    --box-soft: var(--smooth-clir-ink-soft, light-dark(#545c61, #aab0b3));
    --box-surface: var(--smooth-clir-surface, light-dark(#fffdf9, #1d2227));
    --box-line: var(--smooth-clir-line, light-dark(#8b8578, #79828a));
    --box-accent: var(--smooth-clir-accent, light-dark(#17527a, #86c3ea));
    --box-mark: var(--smooth-clir-mark, light-dark(#f6dfb0, #5a4519));
    color: var(--box-ink);
  }
  :host([hidden]) { display: none; }
  label { display: block; margin-block-end: 0.25em; color: var(--box-soft); }
  input {
    box-sizing: border-box; inline-size: 100%; min-block-size: 2.75em; padding: 0.5em 0.75em; font: inherit; font-size: max(1em, 16px);
    color: inherit; background: var(--box-surface); border: 1px solid var(--box-line); border-radius: 0.5em;
  }
  :is(input, a):focus-visible { outline: 3px solid var(--box-accent); outline-offset: 2px; }
  details { margin-block-start: 0.35em; }
  summary { padding-block: 0.5em; cursor: pointer; color: var(--box-soft); }
  fieldset { max-block-size: 14em; margin: 0 0 0.5em; padding: 0.25em 0.75em; overflow-y: auto; border: 1px solid var(--box-line); border-radius: 0.5em; }
  fieldset label { display: flex; gap: 0.5em; align-items: center; margin: 0; min-block-size: 2em; color: inherit; overflow-wrap: anywhere; }
  fieldset input { inline-size: 1.25em; min-block-size: 1.25em; flex: none; margin: 0; padding: 0; accent-color: var(--box-accent); }
  :is(summary, fieldset input):focus-visible { outline: 3px solid var(--box-accent); outline-offset: 2px; }
  [role="status"] { min-block-size: 1.5em; margin-block: 0.35em; color: var(--box-soft); }
  ol { margin: 0; padding: 0; list-style: none; }
  li { padding-block: 0.6em; border-block-start: 1px solid color-mix(in srgb, var(--box-line) 40%, transparent); overflow-wrap: anywhere; }
  a, strong { display: inline-block; padding-block: 0.3em; font-weight: 600; color: var(--box-accent); }
  strong { color: inherit; }
  p { margin: 0; }
  small { color: var(--box-soft); }
  mark { color: inherit; background: var(--box-mark); border-radius: 0.2em; padding-inline: 0.1em; }
`;
