// Headless Chromium, axe-core, and what a page was expected to be: what the checks of pages share.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.env.PEERS_MODULES + "/");
const { chromium } = require("playwright-core");

export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const failures = [];
export const expect = (holds, what) => {
  if (!holds) failures.push(what);
};

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
