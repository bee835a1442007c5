// Opens an audit's page in headless Chromium: see README.md beside this script.
//
// In light and in dark: axe-core finds nothing, with every fold open as well; nothing is asked of the
// network, the console stays empty, the content policy holds back what is put into the page, and
// nothing scrolls sideways on a narrow screen.
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { axe, browser, expect, failures } from "./browser.mjs";

const pages = process.argv.slice(2);
const shots = process.env.SCREENSHOTS;

const unfold = () => document.querySelectorAll("details").forEach((fold) => { fold.open = true; });

// A script and a picture that a page without a policy would run and fetch.
const intrude = () => {
  const script = document.createElement("script");
  script.textContent = "globalThis.intruded = true";
  document.body.append(script);
  const picture = document.createElement("img");
  picture.src = "http://127.0.0.1:9/picture.png";
  document.body.append(picture);
  return new Promise((resolve) => {
    picture.onerror = () => resolve(globalThis.intruded === true);
  });
};

for (const path of pages) {
  for (const colorScheme of ["light", "dark"]) {
    const name = basename(path, ".html") + " " + colorScheme + ": ";
    const url = pathToFileURL(path).href;
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const asked = [];
    const said = [];
    const stopped = [];
    page.on("requestfailed", (request) => stopped.push(request.failure().errorText));
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => failures.push(name + error.message));
    await page.goto(url);
    expect(asked.length === 1, name + "asked " + asked.join(" "));
    expect(said.length === 0, name + "console " + said.join(" "));
    if (shots) await page.screenshot({ path: shots + "/" + name.replaceAll(/[ :]+/g, "-") + "top.png" });
    await page.evaluate(unfold);
    if (shots) {
      await page.screenshot({ path: shots + "/" + name.replaceAll(/[ :]+/g, "-") + "whole.png", fullPage: true });
    }
    expect(!(await page.evaluate(intrude)), name + "a foreign script ran");
    expect(asked.length - 1 === stopped.length && stopped.every((why) => why === "csp"),
      name + "the policy let a picture be fetched: " + stopped.join(" "));
    expect(said.length > 0 && said.every((text) => text.includes("Content Security Policy")),
      name + "the policy said nothing: " + said.join(" "));
    await context.close();

    // The page's own policy would keep the checker out: it alone is let past it.
    const open = await browser.newContext({ colorScheme, bypassCSP: true });
    const checked = await open.newPage();
    await checked.goto(url);
    await checked.evaluate(axe);
    let passed = 0;
    for (const folds of ["closed", "open"]) {
      if (folds === "open") await checked.evaluate(unfold);
      const found = await checked.evaluate(() => globalThis.axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      }));
      passed = found.passes.length;
      for (const violation of found.violations) {
        const where = violation.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ");
        failures.push(name + "axe " + violation.id + ": " + violation.help + " at " + where);
      }
    }
    console.log(name + "axe passes " + passed + " rules");
    await open.close();
  }
  const narrow = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage();
  await narrow.goto(pathToFileURL(path).href);
  await narrow.evaluate(unfold);
  const overflow = await narrow.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow <= 0, basename(path) + ": at 320 px the page scrolls sideways by " + overflow);
}
await browser.close();

for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exit(1);
console.log("no failure");
