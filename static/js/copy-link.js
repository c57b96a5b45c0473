// The button beside the permanent link of a view; the link works without it.
import { copyAddress } from "./clipboard.js";

// Views are swapped in: htmx says so of the first one and of every later one.
document.addEventListener("htmx:load", (event) => {
  for (const button of event.detail.elt.querySelectorAll("[data-copy-link]")) button.hidden = false;
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy-link]");
  if (!button) return;
  const field = button.nextElementSibling;
  const address = document.getElementById(button.dataset.copyLink).href;
  if (await copyAddress(address, button, field)) {
    const said = field.nextElementSibling;
    said.textContent = "";
    said.textContent = button.dataset.done;
  }
});
