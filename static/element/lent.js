// What the second part of the engine has of the first: functions stand in the last places of its table.
function lent(first, rest) {
  const functions = WebAssembly.Module.imports(rest).filter(({ kind }) => kind === "function");
  const table = first[1];
  const given = { ...first };
  functions.forEach(({ name }, n) => (given[name] = table.get(table.length - functions.length + n)));
  return given;
}
