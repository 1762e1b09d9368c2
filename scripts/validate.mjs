// Runs the Khronos glTF validator: node scripts/validate.mjs FILE_OR_FOLDER...
// Prints one line a file and every error and warning. Exit code 0: clean; 1: an error or warning; 2: usage;
// 77: the validator is not installed (npm ci), which ctest counts as skipped.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

const SEVERITIES = ["error", "warning", "info", "hint"];

async function loadValidator() {
  try {
    return (await import("gltf-validator")).default;
  } catch {
    console.log("skipped: no gltf-validator: run npm ci");
    process.exit(77);
  }
}

// Files as given; folders stand for the .glb and .gltf files directly inside.
function collect(args) {
  return args.flatMap((arg) => {
    if (!existsSync(arg)) {
      console.error(`${arg}: not found`);
      process.exit(2);
    }
    if (!statSync(arg).isDirectory()) return [arg];
    const names = readdirSync(arg).filter((name) => /\.(glb|gltf)$/i.test(name));
    return names.sort().map((name) => path.join(arg, name));
  });
}

async function validate(validator, file) {
  const folder = path.dirname(file);
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 1000,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(path.join(folder, decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos + numHints} notes`);
  for (const issue of messages.filter((message) => message.severity < 2).slice(0, 20)) {
    console.log(`  ${SEVERITIES[issue.severity]} ${issue.code} ${issue.pointer ?? ""}: ${issue.message}`);
  }
  return numErrors + numWarnings === 0;
}

const files = collect(process.argv.slice(2));
if (files.length === 0) {
  console.error("usage: node scripts/validate.mjs FILE_OR_FOLDER...");
  process.exit(2);
}
const validator = await loadValidator();
let clean = true;
for (const file of files) clean = (await validate(validator, file)) && clean;
console.log(`${files.length} files, ${clean ? "all clean" : "not clean"}`);
process.exit(clean ? 0 : 1);
