// The search of the site, two versions side by side, copies, and a switch of releases. A page
// from a disk cannot fetch, so what is searched are scripts that call this one. Their texts come from specs: they
// are only ever set as textContent.
"use strict";
const armature = (() => {
  const root = document.currentScript.src.replace(/[^/]*$/, "");
  const most = 50; // results that are shown
  const groups = new Map(); // by their names
  const entries = [];
  let groupsAsked = false, planned = false;
  let waiting = 0, failed = 0; // scripts
  let dialog, input, list, status, button;
  let shown = [], active = -1, asked = "";
  let own = "", there = []; // the release of this site, and the pages of the one that was asked for

  // address returns the URL of a file of the site. What names it stays within the site.
  const address = (...names) => root + names.join("/").split("/").map(encodeURIComponent).join("/");

  const add = (kind, group, type, path, to) => {
    const name = path ? path.slice(path.lastIndexOf(".") + 1) : kind;
    entries.push({ kind, group, type, path, to, name: name.toLowerCase(), text: [kind, type, path].join(" ").toLowerCase() });
  };

  // Groups takes all groups: folder, name, and the kinds with their ARM types and folders.
  const takeGroups = (all) => {
    for (const [folder, name, kinds] of all) {
      groups.set(name, { folder, types: new Map(), asked: false });
      for (const [kind, type, at] of kinds) {
        groups.get(name).types.set(kind, type);
        add(kind, name, type, "", address(folder, at, "index.html"));
      }
    }
  };

  // Properties takes those of the kinds of a group, and of the types that these share: for each
  // its pages, the newest first, with a tree of names. A name is followed by the list of those
  // below it, if there are any. An older page has what no newer one has, and what is above it.
  const takeProperties = (group, ofKinds, ofTypes) => {
    const { folder, types } = groups.get(group);
    for (const [kind, pages] of [...ofKinds, ...ofTypes]) {
      const known = new Set(["spec", "status"]);
      for (const [page, tree] of pages) {
        const to = address(folder, page);
        const walk = (names, above) => {
          let path = above;
          for (const name of names) {
            if (Array.isArray(name)) {
              walk(name, path + ".");
              continue;
            }
            path = above + name;
            if (!known.has(path)) {
              known.add(path);
              add(kind, group, types.get(kind) || "", path, to + "#" + path.toLowerCase());
            }
          }
        };
        walk(tree, "");
      }
    }
  };

  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  // find counts the entries that have all words of a query, and returns the best. The name of a
  // property has a word of it, so that what is below a property is not found with it.
  const find = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter((w) => w);
    const tails = words.map((w) => w.slice(w.lastIndexOf(".") + 1));
    const ranks = [[], [], [], [], [], [], [], []]; // kinds and properties, whose name is a word, begins with one, has one
    const rank = (e) => {
      let best = e.path ? 4 : 3; // a kind is also found by its ARM type
      for (const tail of tails) {
        best = Math.min(best, e.name === tail ? 0 : e.name.startsWith(tail) ? 1 : e.name.includes(tail) ? 2 : best);
      }
      return best;
    };
    let count = 0;
    for (const e of words.length ? entries : []) {
      if (words.every((w) => e.text.includes(w))) {
        const r = rank(e);
        if (r < 4) {
          ranks[2 * r + (e.path ? 1 : 0)].push(e);
          count++;
        }
      }
    }
    let best = [];
    for (const some of ranks) {
      if (best.length < most) { // the others would be sorted for nothing
        best = best.concat(some.sort((x, y) => x.path.length - y.path.length || compare(x.kind, y.kind) || compare(x.to, y.to)));
      }
    }
    return { count, best: best.slice(0, most) };
  };

  // showSoon shows what is found once, however many scripts have been loaded since.
  const showSoon = () => {
    if (!planned) {
      planned = true;
      requestAnimationFrame(() => {
        planned = false;
        show();
      });
    }
  };

  // run runs a script, and calls done with whether that is there.
  const run = (src, done) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => done(true));
    script.addEventListener("error", () => done(false));
    script.src = src;
    document.head.append(script);
  };

  const load = (src) => {
    waiting++;
    run(src, (ok) => {
      waiting--;
      failed += ok ? 0 : 1;
      showSoon();
    });
  };

  // loadProperties asks for those of all groups, first for those of the group of the page.
  const loadProperties = () => {
    const here = [...groups.values()].filter((g) => location.href.startsWith(address(g.folder) + "/"));
    for (const g of [...here, ...groups.values()]) {
      if (!g.asked) {
        g.asked = true;
        load(address(g.folder, "search.js"));
      }
    }
  };

  const element = (name, attributes, text) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      e.setAttribute(key, value);
    }
    e.textContent = text || "";
    return e;
  };

  const show = () => {
    const query = input.value.trim();
    if (query.length > 1) {
      loadProperties();
    }
    const { count, best } = find(query);
    const before = shown[active] && shown[active].firstChild.getAttribute("href");
    shown = best.map((e, i) => {
      const item = element("li", { role: "none" });
      const link = element("a", { href: e.to, role: "option", id: "result-" + i, tabindex: "-1" });
      link.append(element("b", {}, e.path ? e.kind + " " + e.path : e.kind),
        element("span", { class: "type" }, " " + [e.group, e.type].filter((t) => t).join(", ")));
      item.append(link);
      return item;
    });
    list.replaceChildren(...shown);
    const more = count > most ? ", the first " + most + " are shown" : "";
    status.textContent = (query ? count + " found" + more : "") + (waiting ? "; loading" : "") +
      (failed ? "; " + failed + (failed > 1 ? " files" : " file") + " of the search cannot be loaded" : "");
    const again = best.findIndex((e) => e.to === before);
    choose(again >= 0 && query === asked ? again : shown.length ? 0 : -1);
    asked = query;
  };

  const choose = (i) => {
    if (shown[active]) {
      shown[active].firstChild.setAttribute("aria-selected", "false");
    }
    active = i;
    input.setAttribute("aria-activedescendant", i < 0 ? "" : "result-" + i);
    if (shown[i]) {
      shown[i].firstChild.setAttribute("aria-selected", "true");
      shown[i].scrollIntoView({ block: "nearest" });
    }
  };

  const open = () => {
    if (!groupsAsked) {
      groupsAsked = true;
      load(address("groups.js"));
    }
    if (!dialog.open) {
      dialog.showModal();
    }
    input.select();
  };

  const onKey = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) {
      event.preventDefault();
      choose((active + step + shown.length) % shown.length);
    } else if (event.key === "Enter" && shown[active]) {
      event.preventDefault();
      const link = shown[active].firstChild;
      dialog.close(); // the page may be this one
      link.click();
    }
  };

  // reveal unfolds what is around the property that the address names.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1)); // that of a property needs no escapes
    for (let e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") {
        e.open = true;
      }
    }
    if (target) {
      target.scrollIntoView();
    }
  };

  // copies gives a text that people copy a button that does it. Where a browser lets no page
  // write to the clipboard, the text is selected.
  const copies = (pre) => {
    const code = element("div", { class: "code" });
    const copy = element("button", { type: "button" }, "Copy");
    const said = element("span", { role: "status" });
    pre.replaceWith(code);
    code.append(copy, said, pre);
    copy.addEventListener("click", async () => {
      said.textContent = "";
      try {
        await navigator.clipboard.writeText(pre.textContent);
        said.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(pre);
        said.textContent = "selected: press Ctrl+C";
      }
    });
    copy.addEventListener("blur", () => { said.textContent = ""; });
  };

  // versionsOf lets people choose two versions of a kind, and lists what the tables of all of
  // them say of the way from the older to the newer one.
  const versionsOf = (matrix) => {
    const tables = [...matrix.children].map((part) => part.children[0]);
    const versions = [...tables[0].tHead.rows[0].cells].slice(1).map((c) => c.textContent);
    const rows = new Map(tables.flatMap((t) => [...t.tBodies[0].rows]).map((r) => [r.cells[0].textContent, [...r.cells].slice(1)]));

    // A property without a row is there wherever the one above it is.
    const has = (path, i) => {
      const cells = rows.get(path), dot = path.lastIndexOf(".");
      return cells ? cells[i].className !== "" && !cells[i].classList.contains("gone") : dot < 0 || has(path.slice(0, dot), i);
    };

    // steps returns what happens to a property after one version until another: texts, with the
    // versions and the cells. It comes and goes with the one above it.
    const steps = (path, from, to) => {
      const cells = rows.get(path), was = has(path, from), is = has(path, to), all = [];
      if (was ? !is && !has(path.slice(0, path.lastIndexOf(".")), to) : !is || !has(path.slice(0, path.lastIndexOf(".")), from)) {
        return all;
      }
      for (let i = from + 1; i <= to; i++) {
        if (cells[i].className !== "" && !cells[i].classList.contains("same")) {
          const came = cells[i].classList.contains("came");
          all.push({ path, text: (came ? "came: " : "") + cells[i].textContent, version: versions[i], cell: cells[i] });
        }
      }
      if (was !== is && !all.length) {
        all.push({ path, text: is ? "came" : "went", version: versions[to], cell: cells[to] });
      }
      return all;
    };

    const choice = (name) => {
      const label = element("label", {}, name + " ");
      const select = element("select", {});
      select.append(...versions.map((v, i) => element("option", { value: String(i) }, v)));
      label.append(select);
      return { label, select };
    };
    const one = choice("From"), other = choice("to");
    const told = element("p", { role: "status" });
    const wide = element("div", { class: "wide", tabindex: "0" });
    const update = () => {
      const [from, to] = [Number(one.select.value), Number(other.select.value)].sort((a, b) => a - b);
      const all = [...rows.keys()].flatMap((path) => steps(path, from, to));
      told.textContent = (all.length === 1 ? "1 change" : (all.length || "no") + " changes") + " from " + versions[from] + " to " + versions[to];
      const lines = all.map((step) => {
        const line = element("tr", {}), link = step.cell.querySelector("a");
        const text = link ? element("a", { href: link.getAttribute("href") }, step.text) : element("span", {}, step.text);
        const what = element("td", { class: step.cell.className });
        what.append(text);
        line.append(element("td", { class: "path" }, step.path), what, element("td", { class: "version" }, step.version));
        return line;
      });
      const head = element("tr", {}), shown = element("table", {}), top = element("thead", {}), body = element("tbody", {});
      head.append(...["property", "what changes", "since"].map((text) => element("th", {}, text)));
      top.append(head);
      body.append(...lines);
      shown.append(top, body);
      wide.replaceChildren(...(lines.length ? [shown] : []));
    };
    const choose = (from, to) => {
      one.select.value = String(from);
      other.select.value = String(to);
      update();
    };
    const fromAddress = () => { // #2020-01-01..2021-01-01
      const [from, to] = location.hash.slice(1).split("..").map((v) => versions.indexOf(v));
      if (from >= 0 && to >= 0) {
        choose(from, to);
        told.scrollIntoView();
      }
    };
    for (const select of [one.select, other.select]) {
      select.addEventListener("change", () => {
        history.replaceState(null, "", "#" + versions[Number(one.select.value)] + ".." + versions[Number(other.select.value)]);
        update();
      });
    }
    matrix.before(element("h3", { id: "two-versions" }, "Between two versions"), one.label, other.label, told, wide,
      element("h3", {}, "At all versions"));
    choose(Math.max(versions.length - 2, 0), versions.length - 1);
    fromAddress();
    window.addEventListener("hashchange", fromAddress);
  };

  // Release is called for a site that is in a folder of its release, beside those of others. Which
  // these are says a script that they share.
  const takeRelease = (release) => {
    own = release;
    run(root + "../releases.js", () => {});
  };

  // Releases takes those that have a site, and shows a switch.
  const takeReleases = (all) => {
    const label = element("label", {}, "Release ");
    const select = element("select", {});
    select.append(...all.map((release) => element("option", { value: release }, release)));
    select.value = own;
    label.append(select);
    button.before(label);
    select.addEventListener("change", () => {
      const folder = root + "../" + encodeURIComponent(select.value) + "/";
      run(folder + "pages.js", (ok) => { location.href = folder + nearest(ok ? there : []); });
    });
  };

  // nearest returns the address of this page among those of another release, or of the nearest one
  // above it.
  const nearest = (pages) => {
    const known = new Set(pages);
    let names = location.href.slice(root.length).split(/[?#]/)[0].split("/").map(decodeURIComponent);
    while (names.length > 1 && !known.has(names.join("/"))) {
      names = [...names.slice(0, names[names.length - 1] === "index.html" ? -2 : -1), "index.html"];
    }
    return known.has(names.join("/")) ? names.map(encodeURIComponent).join("/") + location.hash : "index.html";
  };

  dialog = element("dialog", { "aria-label": "Search" });
  input = element("input", {
    type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "results", "aria-autocomplete": "list",
    "aria-label": "A kind, a property or an ARM type", placeholder: "A kind, a property or an ARM type",
    autocomplete: "off", spellcheck: "false",
  });
  status = element("p", { role: "status" });
  list = element("ul", { id: "results", role: "listbox", "aria-label": "Results" });
  dialog.append(input, status, list);
  button = element("button", { type: "button" }, "Search ( / )");
  document.querySelector("nav").append(button);
  document.body.append(dialog);
  input.addEventListener("input", show);
  input.addEventListener("keydown", onKey);
  button.addEventListener("click", open);
  list.addEventListener("click", () => dialog.close());
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      open();
    }
  });
  window.addEventListener("hashchange", reveal);
  reveal();
  document.querySelectorAll("pre").forEach(copies);
  document.querySelectorAll("#matrix").forEach(versionsOf);
  return {
    groups: takeGroups, properties: takeProperties, release: takeRelease, releases: takeReleases,
    pages: (all) => { there = all; },
  };
})();
