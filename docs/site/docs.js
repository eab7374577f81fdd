// The choice of the theme, and colours in code.
const theme = document.getElementById("theme");
theme.value = document.documentElement.dataset.theme ?? "";
theme.addEventListener("change", () => {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
  try {
    localStorage.setItem("smooth-clir-docs-theme", theme.value);
  } catch {
    // The choice then holds for this page.
  }
});

// highlight.js, which mdBook brings; output and plain text keep one colour.
if (globalThis.hljs) {
  for (const code of document.querySelectorAll('pre code[class*="language-"]:not(.language-text)')) hljs.highlightBlock(code);
}
