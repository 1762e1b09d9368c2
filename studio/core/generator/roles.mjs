// What each parameter of a function is to JavaScript. Roles:
//   in       given by the caller
//   out      a value that the call sets: dropped, and returned
//   text     a buffer for words, with its capacity behind it: both dropped, and returned as a string
//   error    dropped: thrown

// Outputs that hold one value though their names sound like many, or the other way round.
const ONE = new Set(["out_pieces", "out_frames", "out_confidence", "report", "notes"]);
const MANY = new Set(["out_gradient", "out_deforming", "out_heat", "out_radii", "out_world", "out_styled", "out_order"]);
// Outputs that are not called so.
const ALSO = { sn_mesh_count_faces: ["triangles", "quads", "larger"] };

function isOutput(name, parameter, code) {
  if (ALSO[name]?.includes(parameter)) return true;
  if (code[0] !== "*" || code === "*v" || code === "*c") return false;
  if (/_(free|destroy)$/.test(name)) return false;
  if (parameter === "out" || ONE.has(parameter)) return true;
  return parameter.startsWith("out_") && !MANY.has(parameter) && !parameter.endsWith("s");
}

export function rolesOf(item, types) {
  const roles = item.parameters.map(({ name, type }) => {
    const code = types.code(type);
    if (code === "*{snError}" && name === "error") return { name, type, code, role: "error" };
    return { name, type, code, role: isOutput(item.name, name, code) ? "out" : "in" };
  });
  roles.forEach((one, i) => {
    if (one.code === "*c" && one.name === "out" && /size_t/.test(roles[i + 1]?.type ?? "")) {
      one.role = "text";
      roles[i + 1].role = "capacity";
    }
  });
  return roles;
}

// The function without parameters that makes a struct's defaults.
export function defaultsOf(headers) {
  const defaults = new Map();
  for (const { name, result, parameters } of headers.functions.values())
    if (parameters.length === 0 && headers.structs.has(result)) defaults.set(result, name);
  return defaults;
}
