// Switches releases with site.js. The arguments are as for search.js.
"use strict";
const [siteJS, ...texts] = process.argv.slice(2);
const scripts = new Map(texts.map((s) => [s.slice(0, s.indexOf("=")), s.slice(s.indexOf("=") + 1)]));
const out = { to: [] };
for (const [page, release] of [
  ["shop/cart/v1.html", "1.2.3"], ["shop/cart/v2.html", "1.2.3"], ["shop/order/index.html", "1.2.3"], ["gone/a/b.html", "1.2.3"],
  ["kinds.html", "1.2.3"], ["", "1.2.3"], ["shop/a%20b/v1.html", "1.2.3"], ["shop/cart/v1.html", "9.9.9"],
]) {
  const opened = require("./browser.js").open(siteJS, { scripts, hash: "#spec", page });
  opened.run("armature.release('2.0.0');");
  opened.settle();
  const [label] = opened.button.siblings;
  const [select] = label.children;
  out.options = select.children.map((o) => o.textContent);
  out.own = select.value;
  select.value = release;
  select.send("change");
  opened.settle();
  out.to.push(opened.location.href);
}
const alone = require("./browser.js").open(siteJS, {});
alone.settle();
out.alone = [alone.button.siblings.length, ...alone.loaded];
console.log(JSON.stringify(out));
