// The engine: one module and one WebAssembly for every exhibit of the page, loaded when first needed.
let engine;
let tries = 0;

function loadEngine() {
  engine ||= startEngine().catch((error) => {
    engine = undefined;
    tries += 1;
    throw error;
  });
  return engine;
}

async function startEngine() {
  if (location.protocol === "file:" || base.startsWith("file:")) throw new Failure("file-protocol", base);
  if (!window.WebAssembly) throw new Failure("unsupported", "WebAssembly");
  // A module that failed once may be remembered as failed: another try has another address.
  const address = base + assets.js + (tries ? "?try=" + tries : "");
  const [module, binary] = await Promise.all([importModule(address), compile(base + assets.wasm)]);
  const first = await module.default({ module_or_path: binary });
  const put = (rest) => new WebAssembly.Instance(rest, { first: lent(first, rest) });
  // Code that needs the rest before it is there has it fetched there and then.
  let rest;
  window.inflightRest = () => (rest = put(new WebAssembly.Module(getNow(assets.rest))));
  const take = () => compile(base + assets.rest).then(put);
  // What failed is asked for again by the next who reaches for it.
  const again = (error) => {
    rest = undefined;
    throw error;
  };
  fetchRest = async () => (rest ||= assets.rest && take().catch(again));
  return module;
}

// The module is in two parts: what a first picture needs, and the rest. The rest comes when somebody
// reaches for an exhibit, ahead of its need.
let fetchRest = async () => {};

function getNow(name) {
  const request = new XMLHttpRequest();
  const address = base + name;
  try {
    request.open("GET", address, false);
    // What is awaited in place can only be had as text: a byte a character.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
  } catch (error) {
    throw new Failure("network", address + ": " + error.message);
  }
  if (request.status >= 400) throw new Failure("network", address + ": " + request.status);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0));
}

async function importModule(address) {
  try {
    return await import(address);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure("unsupported", error.message);
    const failure = await settle(error, "network", address);
    if (failure.code === "csp") throw failure;
    const response = await get(address);
    throw /javascript/.test(typeOf(response)) ? failure : new Failure("mime", address + ": " + typeOf(response));
  }
}

// Streaming needs the right media type, which many static hosts do not send; the slow way needs none.
async function compile(address) {
  const response = await get(address);
  if (isPage(response)) throw new Failure("mime", address + ": text/html");
  try {
    return await (typeOf(response).startsWith("application/wasm")
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (error) {
    throw await settle(error, "unsupported", address);
  }
}

// Every document is fetched once a page, however many elements ask.
const documents = new Map();
function getJson(address, codeIfBroken) {
  if (!documents.has(address)) {
    const wanted = get(address).then(async (response) => {
      const text = await response.text();
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new Failure(isPage(response) ? "mime" : codeIfBroken, address + ": " + error.message);
      }
    });
    documents.set(address, wanted);
    wanted.then((document) => parsed.set(address, document), () => documents.delete(address));
  }
  return documents.get(address);
}

// The same where nobody can wait, of a file of ours.
const parsed = new Map();
function getJsonNow(name) {
  const address = base + name;
  if (!parsed.has(address)) parsed.set(address, JSON.parse(new TextDecoder().decode(getNow(name))));
  return parsed.get(address);
}

async function loadExhibit({ exhibit, src }) {
  if (src !== undefined) return getJson(new URL(src, document.baseURI).href, "bad-exhibit");
  if (!exhibit) throw new Failure("bad-param", "exhibit");
  const folder = base + "exhibits/";
  try {
    return await getJson(`${folder}${exhibit}-${assets.edition}.json`, "bad-exhibit");
  } catch (error) {
    // The host may have failed, or there is no such exhibit: the list of them says which.
    const ids = await getJson(`${folder}ids-${assets.edition}.json`, "network").catch(() => [exhibit]);
    if (ids.includes(exhibit)) throw error;
    throw new Failure("bad-exhibit", say("unknown-exhibit", { exhibit, ids: ids.join(", ") }));
  }
}

// The two files of a language: the words of a first picture, and the others.
function catalogueOf(lang = "en") {
  return assets.lang[lang] || assets.lang[lang.split("-")[0]] || assets.lang.en;
}

async function loadCatalogue(lang) {
  language = lang;
  return getJson(base + catalogueOf(lang)[0], "network");
}

// The one that was asked for last.
let language;
function ofAttribute(key) {
  if (!key.startsWith("attribute.")) return undefined;
  try {
    return getJsonNow(catalogueOf(language)[1])["element." + key];
  } catch {
    return undefined;
  }
}

// A panic ends the instance, and with it every exhibit that shares it. Other modules of the page
// may trap too: only a stack that passes through our files is ours.
function onTrap({ error, reason }) {
  const trap = error || reason;
  if (!window.WebAssembly || !(trap instanceof WebAssembly.RuntimeError)) return;
  if (!String(trap.stack).includes(base)) return;
  engine = undefined;
  tries += 1;
  for (const element of connected) element.fail(new Failure("panic", trap.message));
}
window.addEventListener("error", onTrap);
window.addEventListener("unhandledrejection", onTrap);
