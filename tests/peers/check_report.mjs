// Opens a page of ours in headless Chromium: see README.md beside this script.
//
// In light and in dark: axe-core finds nothing, no label is cut by its picture or lies over another,
// nothing is asked of the network, the console stays empty; where the page lists domains, filter and
// folding work; and the page is whole without script.
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { axe, browser, expect, failures } from "./browser.mjs";

const [page_path, shots] = process.argv.slice(2);
const url = pathToFileURL(page_path).href;
const name = basename(page_path, ".html");

const labels = () => {
  const found = [];
  for (const svg of document.querySelectorAll("svg")) {
    const box = svg.viewBox.baseVal;
    const boxes = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBBox()]);
    for (const [name, one] of boxes) {
      if (one.x < 0 || one.y < 0 || one.x + one.width > box.width || one.y + one.height > box.height) {
        found.push("cut: " + name);
      }
      for (const [other, two] of boxes) {
        const apart = one.x + one.width <= two.x || two.x + two.width <= one.x
          || one.y + one.height <= two.y || two.y + two.height <= one.y;
        if (one !== two && !apart) found.push("overlap: " + name + " / " + other);
      }
    }
  }
  return found;
};

// Filter and folding, by keyboard.
const use = async (page, all, colorScheme) => {
  await page.locator("input[type=search]").fill("a");
  const some = await page.locator(".domains tbody:not([hidden])").count();
  expect(some <= all, colorScheme + ": filter " + some + " of " + all);
  const strata = page.locator("select[name=stratum]");
  if (await strata.count() > 0) {
    const stratum = await strata.locator("option").nth(1).textContent();
    await strata.selectOption(stratum);
    const cells = await page.locator(".domains tbody:not([hidden]) tr:first-child td:nth-child(2)")
      .allTextContents();
    expect(cells.length > 0 && cells.every((cell) => cell === stratum), "filter by " + stratum);
    await strata.selectOption("");
  }
  await page.locator("input[type=search]").fill("no such domain at all");
  expect(await page.locator(".domains tbody:not([hidden])").count() === 0, "filter hides all");
  await page.locator("input[type=search]").fill("");
  const button = page.locator(".domains button").first();
  expect(await button.getAttribute("aria-expanded") === "false", "rows begin folded");
  await button.focus();
  await page.keyboard.press("Enter");
  expect(await button.getAttribute("aria-expanded") === "true", "a key opens a row");
  expect(await page.locator(".more:not([hidden])").count() === 1, "its lines show");
};

for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ colorScheme, bypassCSP: false });
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => failures.push("console: " + message.text()));
  page.on("pageerror", (error) => failures.push("error: " + error.message));
  await page.goto(url);
  expect(asked.length === 1, colorScheme + ": asked " + asked.join(" "));
  for (const found of await page.evaluate(labels)) failures.push(colorScheme + ": " + found);
  expect(await page.locator("svg").count() > 0, colorScheme + ": no picture");
  if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });

  const all = await page.locator(".domains tbody:not([hidden])").count();
  if (all > 0) await use(page, all, colorScheme);
  await context.close();

  // The page's own policy would keep the checker out: it alone is let past it.
  const open = await browser.newContext({ colorScheme, bypassCSP: true });
  const checked = await open.newPage();
  await checked.goto(url);
  // What is folded is checked too.
  await checked.evaluate(() => {
    for (const button of [...document.querySelectorAll(".domains button")].slice(0, 40)) button.click();
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await checked.evaluate(axe);
  const found = await checked.evaluate(() => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  for (const violation of found.violations) {
    const where = violation.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ");
    failures.push(colorScheme + ": axe " + violation.id + ": " + violation.help + " at " + where);
  }
  console.log(colorScheme + ": axe passes " + found.passes.length + " rules, "
    + found.violations.length + " violations; " + all + " domains");
  await open.close();
}

const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await plain.goto(url);
if (await plain.locator(".more").count() > 0) {
  expect(await plain.locator(".more").first().isVisible(), "without script every row is open");
}
const narrow = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage();
await narrow.goto(url);
const overflow = await narrow.evaluate(() =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth);
expect(overflow <= 0, "at 320 px the page scrolls sideways by " + overflow);
await browser.close();

for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exit(1);
console.log("no failure");
