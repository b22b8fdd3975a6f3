// Failures: what can keep an exhibit from running, told apart so that each screen can say what to do.
class Failure extends Error {
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }
}

// A refusal by the page's policy reaches the document as an event, shortly after the call failed.
let refused = "";
document.addEventListener("securitypolicyviolation", (event) => {
  const what = event.blockedURI || "";
  if (what.startsWith(base) || /wasm|eval/.test(what)) refused = event.violatedDirective + ": " + what;
});

async function settle(error, code, address) {
  if (error instanceof Failure) return error;
  await new Promise((done) => setTimeout(done, 50));
  const detail = address + ": " + ((error && error.message) || error);
  if (refused || /content security policy|unsafe-eval/i.test(detail)) {
    return new Failure("csp", refused || detail);
  }
  return new Failure(code, detail);
}

async function get(address) {
  let response;
  try {
    response = await fetch(address);
  } catch (error) {
    throw await settle(error, "network", address);
  }
  if (!response.ok) throw new Failure("network", address + ": " + response.status);
  return response;
}

// Some hosts answer every address with a page: what comes is then not what was asked for.
const typeOf = (response) => response.headers.get("content-type") || "";
const isPage = (response) => typeOf(response).startsWith("text/html");
