// One moment of a GLB's first clip as three.js shows it:
//   node scripts/judge_picture.mjs IN.glb SECONDS YAW PITCH SIZE OUT.png
import { readFileSync, writeFileSync } from "node:fs";
import { askPage, openBrowser } from "../tests/io/three_browser.mjs";

const [input, time, yaw, pitch, size, output] = process.argv.slice(2);
const { browser, missing } = await openBrowser();
if (missing) {
  console.log(`skipped: ${missing}`);
  process.exit(77);
}
const bytes = readFileSync(input);
const { animations } = JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
const view = { clip: animations[0].name, time: +time, yaw: +yaw, pitch: +pitch, size: +size };
writeFileSync(output, Buffer.from(await askPage(browser, "picture", input, view), "base64"));
await browser.close();
