// Screens: what the element itself can say, before and instead of an exhibit.
function make(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

function button(className, label, onClick) {
  const node = make("button", className, label);
  node.type = "button";
  node.addEventListener("click", onClick);
  return node;
}

function notice(role, ...children) {
  const sign = make("span", "notice__sign", "!");
  sign.setAttribute("aria-hidden", "true");
  const node = make("div", "notice", sign, make("div", "notice__body", ...children));
  node.setAttribute("role", role);
  return node;
}

const noticeText = ([key, names]) => say(key, { ...names, wants: say("attribute." + names.name) });

function attributeNotice(lines) {
  const list = make("ul", "notice__list", ...lines.map((line) => make("li", "", line)));
  return notice("status", make("b", "", say("attribute.some")), list);
}

function failureNotice({ code, message }, onAgain) {
  const detail = make("details", "", make("summary", "", say("detail")), make("pre", "", message));
  // What an author got wrong, the author wants to read; the rest is for a report.
  detail.open = code.startsWith("bad-");
  return notice(
    "alert",
    make("b", "", say("fail." + code)),
    make("p", "", say("do." + code)),
    detail,
    make("div", "notice__acts", button("btn btn--small", say("again"), onAgain)),
  );
}
