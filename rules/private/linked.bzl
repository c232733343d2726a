"""What programs are linked of."""

def linked(programs):
    """Returns the import paths of the packages of a program, as package sbom reads them.

    Args:
      programs: the GoArchive of the program, and those of the same program for other platforms.

    Returns:
      a dict with the main package, and with the other packages that are no part of Go.
    """
    packages = {}
    for program in programs:
        for archive in program.transitive.to_list():
            if archive != program.data:
                packages[archive.importpath] = True
    return {"main": programs[0].data.importpath, "packages": sorted(packages)}
