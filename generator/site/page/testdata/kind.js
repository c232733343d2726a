// Copies a text, and chooses versions of a kind, with site.js. The first argument is site.js, the
// second one has the rows of its tables, in JSON: lists of texts with classes.
"use strict";
const [siteJS, table] = process.argv.slice(2);

const page = (hash, clipboard) => {
  const made = {};
  const opened = require("./browser.js").open(siteJS, {
    hash, clipboard,
    found: (Element) => {
      const make = (name, children, text, mark) => {
        const e = new Element(name);
        e.children = children;
        e.textContent = children.length ? "" : text;
        e.children = children;
        if (mark) {
          e.setAttribute("class", mark);
        }
        return e;
      };
      const row = (cells) => make("tr", cells.map(([text, mark, href]) => {
        if (!href) {
          return make("td", [], text, mark);
        }
        const link = make("a", [], text);
        link.setAttribute("href", href);
        return make("td", [link], "", mark);
      }));
      const [head, ...body] = JSON.parse(table).map(row);
      const part = (rows) => make("div", [Object.assign(new Element("table"), {
        tHead: make("thead", [head]), tBodies: [make("tbody", rows)],
      })]);
      made.matrix = make("div", [part(body.slice(0, 4)), part(body.slice(4))]);
      made.pre = make("pre", [], "kind: Cart\n");
      return { pre: [made.pre], "#matrix": [made.matrix] };
    },
  });
  const [title, one, other, told, wide] = made.matrix.siblings;
  const [from, to] = [one, other].map((label) => label.children[0]);
  const lines = () => (wide.children.length ? wide.children[0].children[1].children : []).map((line) => {
    const [path, what, since] = line.children;
    return [path.textContent, what.textContent, since.textContent, what.className, what.firstChild.attributes.href || ""].join("|");
  });
  const choose = (select, value) => {
    select.value = String(value);
    select.send("change");
  };
  return { ...opened, made, title, from, to, told, choose, lines };
};

(async () => {
  const out = {};
  const first = page("", undefined);
  out.options = first.from.children.map((o) => o.textContent);
  out.first = [first.told.textContent, ...first.lines()];
  first.choose(first.from, 0);
  out.all = [first.told.textContent, ...first.lines()];
  first.choose(first.to, 0);
  out.none = [first.told.textContent, ...first.lines()];
  first.choose(first.from, 1);
  out.turned = [first.told.textContent, ...first.lines()];
  out.addresses = first.addresses;
  const second = page("#2020..2022", undefined);
  out.address = [second.told.textContent, ...second.lines()];
  second.location.hash = "#2020..2021";
  second.window.send("hashchange");
  out.changed = second.told.textContent;

  const copy = async (clipboard) => {
    const { made, selected } = page("", clipboard);
    const [button, said, pre] = made.pre.replaced.children;
    button.send("click");
    await new Promise((done) => setImmediate(done));
    const words = said.textContent;
    button.send("blur");
    return [pre === made.pre ? "around" : "lost", words, said.textContent, ...selected];
  };
  const written = [];
  out.copied = [...await copy({ writeText: async (text) => { written.push(text); } }), ...written];
  out.refused = await copy({ writeText: async () => { throw new Error("denied"); } });
  out.without = await copy(undefined);
  console.log(JSON.stringify(out));
})();
