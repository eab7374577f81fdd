// The choice of the theme, colours in code, and the present page in the menu.
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
