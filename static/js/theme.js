// Changes the theme without loading the page again; without this file the links still work.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-set-theme]");
  if (!link) return;
  event.preventDefault();
  const theme = link.dataset.setTheme;
  document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  for (const other of document.querySelectorAll("a[data-set-theme]")) {
    other.toggleAttribute("aria-current", other === link);
  }
});
