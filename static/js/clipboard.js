// Copying an address, and saying so; shared by the board and the item viewer.
const SHOWN_FOR = 2000;

/** Copy an address and say so on the button; where that is not allowed, show it for the reader. */
export async function copyAddress(address, button, field) {
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    // The clipboard is not given to every page: then the reader copies the link by hand.
    field.hidden = false;
    field.value = address;
    field.select();
    return false;
  }
  const text = button.dataset.text ?? (button.dataset.text = button.textContent);
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), SHOWN_FOR);
  return true;
}
