// Runs site.js in node, with as much of a browser as it needs. The first argument is site.js, the
// others are the scripts that can be loaded, as name=text.
"use strict";
const fs = require("fs"), vm = require("vm");
const [siteJS, ...scripts] = process.argv.slice(2);
const texts = new Map(scripts.map((s) => [s.slice(0, s.indexOf("=")), s.slice(s.indexOf("=") + 1)]));
const root = "file:///site/", loaded = [], clicked = [];

class Element {
  constructor(name) {
    Object.assign(this, { tagName: name.toUpperCase(), attributes: {}, children: [], handlers: {}, own: "", value: "", open: false });
  }
  get textContent() { return this.own + this.children.map((c) => c.textContent).join(""); }
  set textContent(text) { this.own = text; this.children = []; }
  set innerHTML(text) { throw new Error("innerHTML"); }
  get firstChild() { return this.children[0]; }
  setAttribute(key, value) { this.attributes[key] = value; }
  getAttribute(key) { return this.attributes[key]; }
  append(...all) {
    this.children.push(...all);
    for (const e of all) {
      if (e.tagName === "SCRIPT") {
        const name = e.src.slice(root.length);
        loaded.push(name);
        pending.push(() => {
          if (texts.has(name)) {
            vm.runInContext(texts.get(name), context);
          }
          e.send(texts.has(name) ? "load" : "error");
        });
      }
    }
  }
  replaceChildren(...all) { this.children = []; this.append(...all); }
  addEventListener(name, f) { (this.handlers[name] ||= []).push(f); }
  send(name, event = {}) {
    const all = { target: this, preventDefault() { this.prevented = true; }, ...event };
    (this.handlers[name] || []).forEach((f) => f(all));
    return all;
  }
  showModal() { this.open = true; }
  close() { this.open = false; }
  select() {}
  scrollIntoView() {}
  click() { clicked.push(this.attributes.href); }
}
const pending = [];
let frames = 0;
const settle = () => { while (pending.length) { pending.shift()(); } };
const document = new Element("document"), nav = new Element("nav");
const folded = new Element("details"), property = new Element("div");
property.parentElement = folded;
Object.assign(document, {
  head: new Element("head"), body: new Element("body"), currentScript: { src: root + "site.js" },
  createElement: (name) => new Element(name), querySelector: () => nav,
  getElementById: (id) => (id === "spec.name" ? property : null),
});
const window = new Element("window");
const context = vm.createContext({
  document, window, requestAnimationFrame: (f) => pending.push(() => { frames++; f(); }), location: { href: root + "shop/cart/v1.html#spec.name", hash: "#spec.name" },
});
vm.runInContext(fs.readFileSync(siteJS, "utf8"), context);

const dialog = document.body.children[0], [input, status, list] = dialog.children;
const out = {};
const results = () => list.children.map((li) => li.textContent);
const type = (text) => { input.value = text; input.send("input"); settle(); return results(); };
const key = (name) => input.send("keydown", { key: name });
const chosen = () => list.children.findIndex((li) => li.attributes["aria-selected"] === "true");

out.unfolded = folded.open;
out.loadedAtFirst = [...loaded];
document.send("keydown", { key: "/", target: input.tagName ? Object.assign(new Element("input")) : null });
out.openWhileTyping = dialog.open;
out.slashPrevented = document.send("keydown", { key: "/", target: document.body }).prevented === true;
out.open = dialog.open;
settle();
out.loadedAfterOpening = [...loaded];
frames = 0;
out.kind = type("cart");
out.frames = frames; // two scripts end before the first of them
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
