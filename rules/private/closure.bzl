"""Finds the files that a spec refers to."""

_SCHEMA_URL = "https://schema.management.azure.com/schemas/"
_SCHEMA_FOLDER = "arm-json-schema/schemas/"

# Nearly every schema refers to this placeholder. The reader recognizes it by name and does not read it.
_EXPRESSION = _SCHEMA_URL + "common/definitions.json#/definitions/expression"

def normalize(path):
    """Removes `.` and `..` from a slash-separated path."""
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)

def references(name, document):
    """Returns the other files that a document refers to directly.

    Args:
      name: the document's own name.
      document: its JSON value.

    Returns:
      a sorted list of names, without those of examples, which are not part of a spec.
    """
    found = {}
    folder = name.rpartition("/")[0]
    todo = [document]
    for _ in range(100000000):  # Starlark has no while.
        if not todo:
            break
        value = todo.pop()
        if type(value) == "list":
            todo.extend(value)
        elif type(value) == "dict":
            ref = value.get("$ref")
            if type(ref) == "string" and not ref.startswith("#") and ref != _EXPRESSION:
                file = ref.partition("#")[0]
                if file.startswith(_SCHEMA_URL):
                    found[_SCHEMA_FOLDER + file.removeprefix(_SCHEMA_URL)] = True
                elif "/examples/" not in "/" + file:
                    found[normalize(folder + "/" + file)] = True
            todo.extend(value.values())
    found.pop(name, None)
    return sorted(found.keys())

def closures(documents, read):
    """Returns the closure of every document.

    Args:
      documents: names of files.
      read: a function from a name to the file's text.

    Returns:
      a dict from each name to a list: the name itself, then the files that it
      refers to, directly or not, sorted. Files that do not exist or are not JSON
      are left out; the reader reports them with the line of the reference.
    """
    direct = {}
    exists = {name: True for name in documents}
    for name in documents:
        document = json.decode(read(name), default = None)
        direct[name] = [r for r in references(name, document) if r in exists]
    found = {}
    for name in documents:
        seen = {name: True}
        todo = list(direct[name])
        for _ in range(100000000):
            if not todo:
                break
            next = todo.pop()
            if next not in seen:
                seen[next] = True
                todo.extend(direct[next])
        seen.pop(name)
        found[name] = [name] + sorted(seen.keys())
    return found

def files_of(documents, closures):
    """Returns the files to read for some documents.

    Args:
      documents: names of files.
      closures: from closures.

    Returns:
      the names of the documents and of the files that they refer to, each once.
    """
    return depset([f for d in documents for f in closures[d]]).to_list()
