// Storage on this device. It may be forbidden: what is written then lasts as long as the page.
const held = new Map();

// The text under a name, or null.
export function readText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return held.get(name) ?? null;
  }
}

// Keeps a text under a name, or forgets it if the text is null; whether the device has done so.
export function writeText(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    return true;
  } catch {
    held.set(name, text);
    return false;
  }
}

// Whether the device keeps anything for these pages.
export function keeps() {
  try {
    localStorage.setItem("inflight-probe", "");
    localStorage.removeItem("inflight-probe");
    return true;
  } catch {
    return false;
  }
}

// Offers a text to the reader as a file.
export function save(name, type, text) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The day, as files and lists name it.
export const today = () => new Date().toISOString().slice(0, 10);

// A button that asks once more: the second press within five seconds counts.
export function twice(button, act) {
  const label = button.textContent;
  let timer = 0;
  const calm = () => {
    clearTimeout(timer);
    timer = 0;
    button.textContent = label;
  };
  button.addEventListener("click", () => {
    if (timer) {
      calm();
      act();
      return;
    }
    button.textContent = button.dataset.sure;
    timer = setTimeout(calm, 5000);
  });
  button.addEventListener("blur", calm);
}
