// Attributes: the one vocabulary of the element, the frame's query and a package's configuration.
// A value that does not match gets a visible notice, and the default is used.
const any = /^/;
const onOff = /^(on|off)$/;
const rules = {
  exhibit: /^[a-z0-9-]+$/,
  src: any,
  label: any,
  run: any,
  seed: /^\d{1,20}$/,
  speed: /^(max|\d{1,4}(\.\d+)?|0?\.\d+)$/,
  step: /^\d{1,9}$/,
  autoplay: /^(|on|off|true|false|autoplay)$/,
  controls: /^(full|mini|none)$/,
  frame: /^(sign|quiet|clear|none)$/,
  theme: /^(auto|light|dark)$/,
  lang: /^[a-zA-Z]{2,3}(-[a-zA-Z0-9-]+)?$/,
  loading: /^(lazy|click|eager)$/,
  height: /^\d{2,4}(px)?$/,
  ratio: /^\d+(\.\d+)?([/:]\d+(\.\d+)?)?$/,
  "heading-level": /^[1-6]$/,
  attempts: /^\d{1,2}$/,
  reveal: /^(after|never|always)$/,
  storage: /^(local|none)$/,
  motion: /^(auto|full|step)$/,
};

// What any element may carry, and what the frameworks of host pages add.
const foreign = /^(id|class|style|slot|hidden|title|dir|role|tabindex|part|is|inert|translate|on.*|.*[-:@.].*)$/;

function readAttributes(element) {
  const read = { values: {}, notices: [] };
  for (const { name, value } of element.attributes) {
    const rule = rules[name];
    if (!rule) {
      if (!foreign.test(name)) read.notices.push(["attribute.unknown", { name }]);
    } else if (rule.test(value.trim())) {
      read.values[name] = value.trim();
    } else {
      read.notices.push(["attribute.invalid", { name, value: value.slice(0, 60) }]);
    }
  }
  return read;
}

// The few sentences that must be at hand when nothing can be loaded are in the script itself. What is
// said of attributes stands in the later part of the catalogue: hardly a page has need of it.
function say(key, names = {}) {
  return (words[key] || ofAttribute(key) || key).replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);
}
