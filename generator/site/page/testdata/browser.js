// As much of a browser as site.js needs. Its scripts are those that a page can load, by name.
"use strict";
const fs = require("fs"), vm = require("vm");
const root = "file:///site/";

exports.open = (siteJS, { scripts = new Map(), hash = "", page = "shop/cart/v1.html", found = () => ({}), clipboard }) => {
  const loaded = [], clicked = [], pending = [], selected = [], addresses = [];
  let frames = 0;

  class Element {
    constructor(name) {
      Object.assign(this, { tagName: name.toUpperCase(), attributes: {}, children: [], handlers: {}, own: "", value: "", open: false, siblings: [] });
    }
    get textContent() { return this.own + this.children.map((c) => c.textContent).join(""); }
    set textContent(text) { this.own = text; this.children = []; }
    set innerHTML(text) { throw new Error("innerHTML"); }
    get className() { return this.attributes.class || ""; }
    get classList() { return { contains: (name) => this.className.split(" ").includes(name) }; }
    get rows() { return this.children; }
    get cells() { return this.children; }
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
            if (scripts.has(name)) {
              vm.runInContext(scripts.get(name), context);
            }
            e.send(scripts.has(name) ? "load" : "error");
          });
        }
      }
    }
    replaceWith(e) { this.replaced = e; }
    before(...all) { this.siblings.push(...all); }
    querySelector(name) { return this.children.find((e) => e.tagName === name.toUpperCase()) || null; }
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

  const document = new Element("document"), nav = new Element("nav"), window = new Element("window");
  const folded = new Element("details"), property = new Element("div");
  property.parentElement = folded;
  const pages = found(Element);
  Object.assign(document, {
    head: new Element("head"), body: new Element("body"), currentScript: { src: root + "site.js" },
    createElement: (name) => new Element(name), querySelector: () => nav,
    querySelectorAll: (name) => pages[name] || [],
    getElementById: (id) => (id === "spec.name" ? property : null),
  });
  const context = vm.createContext({
    document, window, location: { href: root + page + hash, hash }, navigator: { clipboard },
    requestAnimationFrame: (f) => pending.push(() => { frames++; f(); }),
    getSelection: () => ({ selectAllChildren: (e) => selected.push(e.textContent) }),
    history: { replaceState: (state, title, address) => addresses.push(address) },
  });
  vm.runInContext(fs.readFileSync(siteJS, "utf8"), context);
  return {
    document, window, folded, button: nav.children[0], run: (script) => vm.runInContext(script, context), loaded, clicked, selected, addresses, Element, location: context.location,
    settle() {
      frames = 0;
      while (pending.length) { pending.shift()(); }
      return frames;
    },
  };
};
