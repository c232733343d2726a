// Searches with site.js. The first argument is site.js, the others are the scripts that can be
// loaded, as name=text.
"use strict";
const [siteJS, ...texts] = process.argv.slice(2);
const scripts = new Map(texts.map((s) => [s.slice(0, s.indexOf("=")), s.slice(s.indexOf("=") + 1)]));
const { document, folded, loaded, clicked, settle, Element } =
  require("./browser.js").open(siteJS, { scripts, hash: "#spec.name" });

const dialog = document.body.children[0], [input, status, list] = dialog.children;
const out = {};
const results = () => list.children.map((li) => li.textContent);
const type = (text) => { input.value = text; input.send("input"); settle(); return results(); };
const key = (name) => input.send("keydown", { key: name });
const chosen = () => list.children.findIndex((li) => li.firstChild.attributes["aria-selected"] === "true");

out.unfolded = folded.open;
out.loadedAtFirst = [...loaded];
document.send("keydown", { key: "/", target: input.tagName ? Object.assign(new Element("input")) : null });
out.openWhileTyping = dialog.open;
out.slashPrevented = document.send("keydown", { key: "/", target: document.body }).prevented === true;
out.open = dialog.open;
settle();
out.loadedAfterOpening = [...loaded];
input.value = "cart";
input.send("input");
out.frames = settle(); // two scripts end before the first of them
out.kind = results();
out.loadedAfterSearching = [...loaded];
out.property = type("sku");
out.path = type("spec.sku.name");
out.below = type("cart name");
out.armType = type("contoso.shop/orders");
out.hostile = type("<img");
out.none = type("nothing-has-this");
out.status = status.textContent;
type("name");
out.chosen = [chosen()];
for (const name of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"]) {
  key(name);
  out.chosen.push(chosen());
}
out.active = input.attributes["aria-activedescendant"];
key("ArrowDown");
key("Enter");
out.clicked = clicked;
out.openAfterEnter = dialog.open;
out.addresses = list.children.map((li) => li.firstChild.attributes.href);
console.log(JSON.stringify(out));
