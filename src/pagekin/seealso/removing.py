"""Takes the lists out of the pages of a folder: only what stands between our marks and is as we wrote it."""

from pathlib import Path

from pagekin.errors import SourceError
from pagekin.parse.listed import SIGN, lists_in, stray, unlisted
from pagekin.seealso import apart
from pagekin.seealso.leaves import BROKEN, CHANGED, pages_below
from pagekin.seealso.report import SeeAlso, by_reason
from pagekin.seealso.write import Seen, left_behind, objection, writing


def removed(root: Path) -> SeeAlso:
    """Restore the pages of a folder; what was changed since it was written is named and left."""
    if not root.is_dir():
        raise SourceError(f"{root} is not a folder; name the folder of a built site, like public/")
    changed: list[str] = []
    left_out: dict[str, str] = {}
    every = [path for path in pages_below(root) if not path.is_symlink()]  # what it leads to comes by its own name
    for path in left_behind(root):
        path.unlink(missing_ok=True)
    with writing() as pages:
        for path in every:
            inside = path.relative_to(root).as_posix()
            try:
                before, body = Seen.of(path.lstat()), path.read_bytes()
            except OSError:
                left_out[inside] = "unreadable"
                continue
            page = unlisted(body)
            why = objection(path) if page != body else None
            if why:
                left_out[inside] = why
            elif page != body:
                pages.put(path, page, before)
                changed.append(inside)
            if not why and SIGN[:-1] in page:
                left_out[inside] = CHANGED if lists_in(page) else BROKEN
            elif not why and stray(page):
                left_out[inside] = BROKEN
    for path, why in pages.refused.items():
        left_out[path.relative_to(root).as_posix()] = why
        changed.remove(path.relative_to(root).as_posix())
    for path in apart.found(root):
        inside = path.relative_to(root).as_posix()
        if apart.is_ours(path, path.read_bytes()):
            path.unlink()
            changed.append(inside)
        elif path.name == apart.STYLESHEET or apart.MADE_BY.encode() in path.read_bytes():
            left_out[inside] = CHANGED
    return SeeAlso(str(root), len(every), 0, tuple(sorted(changed)), removing=True, left_out=by_reason(left_out))
