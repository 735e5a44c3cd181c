// Accessibility by axe-core, run in the page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// What axe finds against WCAG 2.1, levels A and AA.
export async function violations(page) {
  // The page's policy lets no script in but its own; the debugger's does not ask.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
    const { violations, passes } = await globalThis.axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
    if (passes.length < 10) return ["axe looked at next to nothing"];
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.all[0]?.message ?? ""})`));
  });
}
