// Before the page is painted: the theme that the reader chose.
try {
  const theme = localStorage.getItem("smooth-clir-docs-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that stores nothing has the theme of the system.
}
