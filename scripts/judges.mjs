// What leaves Sinew, shown by other programs: characters x {flesh, exact volume, style} x {plain skin, helper joints,
// morph targets, point cache}. Each file is played by a judge, and every vertex it shows is compared with the point
// cache that sinew animate writes of the same motion, in mm.
//
//   node scripts/judges.mjs [--sinew build/sinew] [--judges player,validator,three,blender,godot] [--only NAME]
//                           [--keep FOLDER]
//
// player is sinew itself on the file it wrote, three is three.js in a headless Chromium (CPU and shaders, the worse of
// both), blender its glTF importer and Mesh Cache, godot the bones and blend shapes of Godot 3. No cell may be worse than
// the error that was printed when the file was written plus 1e-5 of the size. Exit code 0: so it is; 1: not; 77: a judge
// or the characters are missing.
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { askPage, openBrowser } from "../tests/io/three_browser.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const data = process.env.SINEW_DATA_DIR ?? path.join(here, "../../shared/data");
const LENGTH = 0.4; // seconds of each motion
const SHOWN = [0, 4, 9]; // frames that three.js and Blender are asked for; the player gives all

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? process.argv[at + 1] : otherwise;
};
const sinew = option("sinew", "build/sinew");
const judges = option("judges", "player,validator,three,blender,godot").split(",");
const only = option("only", "");
const folder = option("keep", "") || mkdtempSync(path.join(tmpdir(), "sinew-judges-"));

// People, animals, gear that hangs on joints, several skins, files in centimetres. Rates are those of the keys: between
// keys programs blend rotations in ways of their own.
const file = (name) => path.join(data, "characters", name);
const motion = (name) => path.join(data, "motion", name);
const CHARACTERS = [
  { name: "body", fps: 30, input: ["builtin:body", "--clip", "jump"] },
  { name: "Robot", fps: 24, input: [file("RobotExpressive.glb"), "--clip", "Running"] },
  { name: "Fox", fps: 24, input: [file("Fox.glb"), "--clip", "Walk"] },
  { name: "Stag", fps: 24, input: [file("quat_animals_pack_Stag.glb"), "--clip", "AnimalArmature|Gallop"] },
  { name: "Knight", fps: 30, input: [file("kaykit_Knight.glb"), "--clip", "Running_A"] },
  { name: "King", fps: 30, input: [file("quat_modular_men_King.glb"), motion("cmu_35_01_walk.bvh")] },
];
const PLAIN = ["--skin", "linear", "--volume", "none", "--flesh", "off"];
const STAGES = [
  { name: "flesh", options: ["--flesh", "on"] },
  { name: "exact", options: ["--skin", "linear", "--volume", "exact", "--flesh", "off"] },
  { name: "style", options: ["--style", "soft", "--volume", "none", "--flesh", "off"] },
];
const rate = (fps) => ["--fps", String(fps)];
const cut = (fps) => [...rate(fps), "--to", String(LENGTH)];

function run(args) {
  const done = spawnSync(sinew, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`sinew ${args.join(" ")}: ${done.stderr || done.error}`);
  return done.stdout;
}

// { count, frames, points } of a point cache.
function readCache(name) {
  const bytes = readFileSync(name);
  const count = bytes.readInt32LE(16);
  const frames = bytes.readInt32LE(28);
  return { name, count, frames, points: new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32)) };
}

// The caches that sinew writes of all parts, in the file's order.
function writeCaches(name, args) {
  const report = JSON.parse(run(["animate", ...args, "-o", path.join(folder, `${name}.pc2`), "--json", "--quiet"]));
  return (report.outputs ?? [report.output]).map(readCache);
}

function frameOf(cache, frame) {
  return cache.points.subarray(3 * cache.count * frame, 3 * cache.count * (frame + 1));
}

// The longest side of the box around the first frame.
function sizeOf(caches) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const cache of caches) {
    frameOf(cache, 0).forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
  }
  return Math.max(...low.map((value, i) => high[i] - value));
}

function worstDistance(shown, expected) {
  if (shown.length !== expected.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < expected.length; i += 3) {
    const [x, y, z] = [shown[i] - expected[i], shown[i + 1] - expected[i + 1], shown[i + 2] - expected[i + 2]];
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (!(distance <= worst)) worst = distance; // not-a-number is the worst of all
  }
  return worst;
}

// The nodes of a GLB that carry a mesh, in order, and its first clip.
function readGlb(name) {
  const bytes = readFileSync(name);
  const json = JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
  const nodes = json.nodes.filter((node) => "mesh" in node);
  return {
    nodes: nodes.map(({ name: own, mesh }) => ({ name: own, mesh: json.meshes[mesh].name })),
    clip: json.animations[0].name,
  };
}

// -------------------------------------------------------------------------------------------------- files

// The error that sinew printed, in metres.
function printedError(report) {
  if (report.helper_joints) return report.helper_joints.frames.max_mm / 1e3;
  return (report.morph_error_max_mm ?? 0) / 1e3;
}

function write(character, stage, way, options, caches) {
  const output = path.join(folder, `${character.name}_${stage}_${way}.glb`);
  const report = JSON.parse(run(["animate", ...character.input, ...options, "-o", output, "--json", "--quiet"]));
  const { name, fps, input } = character;
  const size = sizeOf(caches);
  const allowed = printedError(report) + 1e-5 * size;
  return { character: name, input: input[0], stage, way, fps, file: output, caches, size, allowed, ...readGlb(output) };
}

// The rows of one character: files with what they should show. A plain skin keeps its clip as it is and shows nothing
// beyond, whatever the stage.
function makeRows(character) {
  const { name, fps, input } = character;
  const plain = writeCaches(`${name}_plain`, [...input, ...PLAIN, ...rate(fps)]);
  const rows = [write(character, "-", "plain", [...PLAIN, "--target", "skin"], plain)];
  for (const { name: stage, options } of STAGES) {
    const truth = writeCaches(`${name}_${stage}`, [...input, ...options, ...cut(fps)]);
    const add = (way, ...more) => write(character, stage, way, [...options, ...cut(fps), ...more], truth);
    rows.push(add("joints", "--target", "joints"));
    rows.push(add("morphs", "--target", "morph"));
    if (judges.includes("godot")) rows.at(-1).floats = add("floats", "--target", "morph", "--floats").file;
    const bytes = truth.reduce((sum, cache) => sum + statSync(cache.name).size, 0);
    rows.push({ ...rows[0], stage, way: "pc2", caches: truth, allowed: 1e-5 * sizeOf(truth), bytes });
  }
  return rows;
}

// ------------------------------------------------------------------------------------------------- judges

function playOurselves(row) {
  const output = path.join(folder, "again.pc2");
  const args = ["animate", row.file, "--clip", "0", ...PLAIN, ...rate(row.fps), "-o", output, "--json", "--quiet"];
  const report = JSON.parse(run(args));
  const shown = (report.outputs ?? [report.output]).map(readCache);
  if (shown.length !== row.caches.length) return { worst: Infinity };
  row.own = shown;
  const frames = Math.min(...shown.map((cache) => cache.frames), ...row.caches.map((cache) => cache.frames));
  let worst = 0;
  for (let f = 0; f < frames; f++) {
    shown.forEach((cache, p) => {
      worst = Math.max(worst, worstDistance(frameOf(cache, f), frameOf(row.caches[p], f)));
    });
  }
  return { worst };
}

async function playInThree(browser, row) {
  const times = SHOWN.map((frame) => frame / row.fps);
  const shown = await askPage(browser, "positions", row.file, { clip: row.clip, times, nodes: row.nodes.map(({ name }) => name) });
  const unpack = (text) => new Float32Array(new Uint8Array(Buffer.from(text, "base64")).buffer);
  let worst = 0;
  let apart = 0;
  for (const which of [shown.cpu, shown.gpu]) {
    SHOWN.forEach((frame, f) => {
      row.caches.forEach((cache, p) => {
        const points = unpack(which[f][p]);
        worst = Math.max(worst, worstDistance(points, frameOf(cache, frame)));
        if (row.own) apart = Math.max(apart, worstDistance(points, frameOf(row.own[p], frame)));
      });
    });
  }
  return { worst, apart };
}

// All rows in one run of Blender, which takes seconds to start.
function playInBlender(rows) {
  const list = path.join(folder, "blender.json");
  const answer = path.join(folder, "blender_answer.json");
  const cells = rows.map((row) => ({
    file: row.file,
    fps: row.fps,
    cache: row.way === "pc2",
    nodes: row.nodes,
    caches: row.caches.map((cache) => cache.name),
  }));
  writeFileSync(list, JSON.stringify({ frames: SHOWN, cells }));
  const script = path.join(here, "../tests/io/blender_judge.py");
  const args = ["-b", "--factory-startup", "--python-exit-code", "1", "--python", script, "--", list, answer];
  const done = spawnSync("blender", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.error) return null;
  if (done.status !== 0) throw new Error(`Blender: ${done.stdout.slice(-2000)}${done.stderr.slice(-2000)}`);
  return JSON.parse(readFileSync(answer, "utf8")).map((value) => ({ worst: value ?? Infinity }));
}

const importSettings = (fps) => `[remap]
importer="scene"
type="PackedScene"
[params]
animation/import=true
animation/fps=${fps}
animation/optimizer/enabled=false
animation/keep_custom_tracks=false
`;

// The editor without a window imports what lies in its project, and does not always leave afterwards.
function importInGodot(project, names) {
  const scenes = () => readdirSync(path.join(project, ".import")).filter((name) => name.endsWith(".md5")).length;
  const editor = spawn("godot3-server", ["--path", project, "--editor", "--quit"], { stdio: "ignore" });
  return new Promise((resolve) => {
    const deadline = Date.now() + 600e3;
    const stop = (done) => {
      clearInterval(timer);
      editor.kill("SIGKILL");
      resolve(done);
    };
    const timer = setInterval(() => {
      if (existsSync(path.join(project, ".import")) && scenes() >= names.length) stop(true);
      else if (Date.now() > deadline) stop(false);
    }, 500);
    editor.on("error", () => stop(null));
  });
}

// Godot 3.2 has no quantised meshes, and resamples clips at 15 frames a second unless its import settings say otherwise.
// On the same files it is up to 3e-5 of the size away from the others with plain skins and 1.2e-4 with blend shapes: its own
// storage, for which it has a larger allowance.
const GODOT = 2e-4;
async function playInGodot(rows) {
  const project = path.join(folder, "godot");
  mkdirSync(project, { recursive: true });
  writeFileSync(path.join(project, "project.godot"), "config_version=4\n");
  const cells = rows.map((row, i) => {
    const name = `cell_${i}.glb`;
    copyFileSync(row.floats ?? row.file, path.join(project, name));
    writeFileSync(path.join(project, `${name}.import`), importSettings(row.fps));
    return { file: name, fps: row.fps, clip: row.clip, nodes: row.nodes, caches: row.caches.map((cache) => path.resolve(cache.name)) };
  });
  const imported = await importInGodot(project, cells);
  if (!imported) return null;
  writeFileSync(path.join(project, "list.json"), JSON.stringify({ frames: SHOWN, cells }));
  copyFileSync(path.join(here, "../tests/io/godot_judge.gd"), path.join(project, "judge.gd"));
  spawnSync("godot3-server", ["--path", project, "-s", "judge.gd"], { stdio: "ignore", timeout: 600e3 });
  const answers = JSON.parse(readFileSync(path.join(project, "answer.json"), "utf8"));
  return answers.map((value) => ({ worst: value < 0 ? Infinity : value }));
}

// Errors and warnings that the character's own file does not have.
async function validate(row) {
  const validator = (await import("gltf-validator")).default;
  const count = async (name) => {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(name)), { maxIssues: 1000 });
    return issues.numErrors + issues.numWarnings;
  };
  const before = existsSync(row.input) ? await count(row.input) : 0;
  return Math.max(0, (await count(row.file)) - before);
}

// -------------------------------------------------------------------------------------------------- table

const isWorse = (row, judge) => row[judge]?.worst > row.allowed + (judge === "godot" ? GODOT * row.size : 0);
const mm = (metres) => (Number.isFinite(metres) ? (metres * 1e3).toPrecision(3) : "differs");

function print(rows) {
  const columns = judges.filter((judge) => judge !== "validator");
  const head = ["character", "stage", "way", "MB", "allowed", ...columns, "three - player", "validator"];
  const table = rows.map((row) => [
    row.character,
    row.stage,
    row.way,
    ((row.bytes ?? statSync(row.file).size) / 1e6).toFixed(2),
    mm(row.allowed),
    ...columns.map((judge) => (row[judge] ? mm(row[judge].worst) + (isWorse(row, judge) ? " !" : "") : "-")),
    row.three?.apart === undefined ? "-" : mm(row.three.apart),
    row.validator === undefined ? "-" : row.validator === 0 ? "clean" : `${row.validator} issues !`,
  ]);
  const widths = head.map((_, c) => Math.max(...[head, ...table].map((line) => line[c].length)));
  for (const line of [head, ...table]) console.log(line.map((text, c) => text.padEnd(widths[c])).join("  ").trimEnd());
}

async function judgeAll(rows) {
  const { browser, missing } = judges.includes("three") ? await openBrowser() : {};
  if (missing) console.log(`skipped: ${missing}`);
  for (const row of rows) {
    if (row.way === "pc2") continue; // points for programs that have no other way in: Blender judges them
    if (judges.includes("player")) row.player = playOurselves(row);
    if (judges.includes("validator")) row.validator = await validate(row);
    if (browser) row.three = await playInThree(browser, row);
  }
  await browser?.close();
  let whole = !missing;
  const heavy = { blender: playInBlender, godot: playInGodot };
  for (const judge of judges.filter((name) => name in heavy)) {
    const shown = judge === "godot" ? rows.filter((row) => row.way !== "pc2") : rows; // Godot reads no point caches
    const answers = await heavy[judge](shown);
    if (answers === null) console.log(`skipped: no ${judge}`);
    answers?.forEach((answer, i) => (shown[i][judge] = answer));
    whole = whole && answers !== null;
  }
  return whole;
}

if (!existsSync(path.join(data, "characters"))) {
  console.log(`skipped: no characters: ${data}`);
  process.exit(77);
}
if (judges.includes("validator") && !existsSync(path.join(here, "../node_modules/gltf-validator"))) {
  console.log("skipped: no gltf-validator: run npm ci");
  process.exit(77);
}
mkdirSync(folder, { recursive: true });
const rows = CHARACTERS.filter(({ name }) => name.includes(only)).flatMap(makeRows);
const whole = await judgeAll(rows);
print(rows);
const worse = rows.filter(
  (row) => row.validator > 0 || judges.some((judge) => isWorse(row, judge)),
).length;
console.log(`${rows.length} files, ${worse === 0 ? "every one within its printed error" : `${worse} not within their printed error`}`);
if (!option("keep", "")) rmSync(folder, { recursive: true });
process.exit(worse > 0 ? 1 : whole ? 0 : 77);
