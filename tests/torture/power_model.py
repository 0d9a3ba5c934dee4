"""A file system that loses power: it carries out the log of power_log.c and draws what a disk may hold at any moment of it.

The model promises what POSIX does and the common file systems of Linux keep, and no more:

- Data. Each sector of 512 bytes is as it was at some moment between the last fsync() or fdatasync() of its file and the
  crash, each at a moment of its own: writes are lost, cut and reordered. The size is one of these moments, too; bytes below it
  that were never written are zeros.
- Modes (chmod) are lost until an fsync(); fdatasync() leaves them out.
- Names. What was made of a folder's names (creat, link, unlink, rename, mkdir, rmdir) is lost until an fsync() of that folder;
  any subset of what was not synced may have happened. That of the file does not bring its name to disk, though ext4, XFS
  and Btrfs mostly do that. A single operation happens or does not: a rename never leaves neither name.
- Once synced, always there. Locks, and the index of SQLite's log (-shm, which is shared memory), are not: its bytes are
  random after a crash.
"""
import hashlib
import random

SECTOR = 512


class File:
    """What is safe (`data`, `mode`), and what was done since: pending operations, in their order."""

    def __init__(self, data=b"", mode=0o644):
        self.data, self.mode, self.pending = bytearray(data), mode, []

    def size_now(self):
        size = len(self.data)
        for kind, *a in self.pending:
            size = a[0] if kind == "resize" else max(size, a[0] + len(a[1])) if kind == "write" else size
        return size

    def draw(self, sector_cut, meta_cut, torn=None):
        """The file when of sector s the first sector_cut(s) pending operations are on disk, and for size and mode the first
        meta_cut. `torn`: (operation, number of sectors): of it only the first sectors."""
        data, size, mode = bytearray(self.data), len(self.data), self.mode
        for i, (kind, *a) in enumerate(self.pending):
            in_meta = i < meta_cut
            if kind == "mode":
                mode = a[0] if in_meta else mode
            elif kind == "resize":
                size = a[0] if in_meta else size
                for sector in range(a[0] // SECTOR, (len(data) + SECTOR - 1) // SECTOR):
                    if i < sector_cut(sector):
                        begin, end = max(a[0], sector * SECTOR), min(len(data), (sector + 1) * SECTOR)
                        data[begin:end] = bytes(end - begin)
            else:
                begin, end = a[0], a[0] + len(a[1])
                size = max(size, end) if in_meta else size
                if len(data) < end:
                    data.extend(bytes(end - len(data)))
                for nr, sector in enumerate(range(begin // SECTOR, (end + SECTOR - 1) // SECTOR)):
                    if i < sector_cut(sector) or (torn and i == torn[0] and nr < torn[1]):
                        low, high = max(begin, sector * SECTOR), min(end, (sector + 1) * SECTOR)
                        data[low:high] = a[1][low - begin:high - begin]
        if len(data) < size:
            data.extend(bytes(size - len(data)))
        return bytes(data[:size]), mode

    def sync(self, with_mode):
        n = len(self.pending)
        data, mode = self.draw(lambda sector: n, n)
        self.data = bytearray(data)
        modes = [] if with_mode else [p for p in self.pending if p[0] == "mode"]
        self.mode, self.pending = mode if with_mode else self.mode, modes

    def state(self, how, rng):
        n = len(self.pending)
        if how == "any":
            how = rng.choice(["all", "none", "prefix", "torn", "scattered", "scattered", "sizes"])
        if how == "all" or n == 0:
            return self.draw(lambda sector: n, n)
        if how == "none":
            return self.draw(lambda sector: 0, 0)
        if how == "sizes":
            return self.draw(lambda sector: 0, n)
        if how in ("prefix", "torn"):
            cut = rng.randrange(n + 1)
            torn = (cut, rng.randrange(1, 16)) if how == "torn" and cut < n else None
            return self.draw(lambda sector: cut, cut + (torn is not None), torn)
        cuts = {}
        return self.draw(lambda sector: cuts.setdefault(sector, rng.choice([0, n, rng.randrange(n + 1)])),
                         rng.choice([n, rng.randrange(n + 1)]))


class Folder:
    """What is safe: inode objects by name."""

    def __init__(self):
        self.names = {}


class Disk:
    def __init__(self, root):
        """Begins with what is in the folder `root` (pathlib), all of it safe."""
        self.inodes = {}
        self.pending = []  # operations on names: lists of (folder, name, object or None)
        self.root = self._read(root)

    def _read(self, path):
        st = path.stat()
        if path.is_dir():
            made = Folder()
            made.names = {entry.name: self._read(entry) for entry in path.iterdir()}
        else:
            made = File(path.read_bytes(), st.st_mode & 0o7777)
        self.inodes[st.st_ino] = made
        return made

    def _now(self, folder, name):
        found = folder.names.get(name)
        for op in self.pending:
            for where, what, made in op:
                if where is folder and what == name:
                    found = made
        return found

    def apply(self, words, data):
        """Carries out a record; False: nothing of the disk has changed by it."""
        kind, at = words[0], self.inodes
        number = [int(w) if w.isdigit() else w for w in words]
        if kind == "print":
            return False
        if kind == "create":
            at[number[3]] = File(mode=int(words[4], 8))
            self.pending.append([(at[number[1]], words[2], at[number[3]])])
        elif kind == "nameless":
            at[number[1]] = File(mode=int(words[2], 8))
        elif kind == "mkdir":
            at[number[3]] = Folder()
            self.pending.append([(at[number[1]], words[2], at[number[3]])])
        elif kind == "write":
            at[number[1]].pending.append(("write", number[2], data))
        elif kind == "resize":
            if at[number[1]].size_now() == number[2]:
                return False
            at[number[1]].pending.append(("resize", number[2]))
        elif kind == "mode":
            at[number[1]].pending.append(("mode", int(words[2], 8)))
        elif kind in ("fsync", "fdatasync") and isinstance(at[number[1]], File):
            at[number[1]].sync(kind == "fsync")
        elif kind in ("fsync", "fdatasync"):
            self._sync_folder(at[number[1]])
        elif kind == "link":
            self.pending.append([(at[number[1]], words[2], at[number[3]])])
        elif kind in ("unlink", "rmdir"):
            self.pending.append([(at[number[1]], words[2], None)])
        elif kind == "rename":
            old, new = at[number[1]], at[number[3]]
            self.pending.append([(old, words[2], None), (new, words[4], self._now(old, words[2]))])
        else:
            raise ValueError("the model does not know " + " ".join(words))
        return True

    def _sync_folder(self, folder):
        left = []
        for op in self.pending:
            if any(where is folder for where, _, _ in op):
                # Of a rename between folders one of them is enough, since it happens wholly or not.
                for where, name, made in op:
                    self._set(where.names, name, made)
            else:
                left.append(op)
        self.pending = left

    @staticmethod
    def _set(names, name, made):
        if made is None:
            names.pop(name, None)
        else:
            names[name] = made

    def state(self, how, rng):
        """What may be found after a crash now: {path: (bytes, mode) or None for a folder}. `how`: "all" is on disk, "none" of
        what was not synced, "names" of it but no data, "sizes" names and sizes but no data, "data" but no names, "any"."""
        n = len(self.pending)
        names = {"all": "all", "none": "none", "names": "all", "sizes": "all", "data": "none"}.get(how)
        if names is None:
            names = rng.choice(["all", "none", "prefix", "some", "some", "one", "but one"])
        cut, one = rng.randrange(n + 1), rng.randrange(n) if n else 0
        happened = [{"all": True, "none": False, "prefix": i < cut, "one": i == one, "but one": i != one}.get(
            names, None) for i in range(n)]
        happened = [rng.random() < 0.5 if h is None else h for h in happened]
        files = {"all": "all", "none": "none", "names": "none", "sizes": "sizes", "data": "all"}.get(how, "any")
        folders = {}
        for op in (op for op, h in zip(self.pending, happened) if h):
            for where, name, made in op:
                self._set(folders.setdefault(id(where), dict(where.names)), name, made)
        found, drawn = {}, {}

        def walk(folder, prefix):
            for name, made in sorted(folders.get(id(folder), folder.names).items()):
                path = prefix + name
                if isinstance(made, Folder):
                    found[path] = None
                    walk(made, path + "/")
                elif name.endswith("-shm"):
                    found[path] = rng.randbytes(made.size_now()), made.mode
                else:
                    # By all its names, a file is the same.
                    found[path] = drawn.setdefault(id(made), made.state(files, rng))

        walk(self.root, "")
        return found


def records(path):
    """(words, data) of each record of a log."""
    with open(path, "rb") as log:
        while line := log.readline():
            words = line.decode("utf-8", "surrogateescape").rstrip("\n").split("\t")
            data = b""
            if words[0] in ("write", "print"):
                data = log.read(int(words[-1]))
                if log.read(1) != b"\n":
                    raise ValueError(f"{path} is cut")
            yield words, data


def restore(state, folder):
    """Makes the folder hold a Disk.state()."""
    folder.mkdir()
    for path, what in state.items():
        if what is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(what[0])
            (folder / path).chmod(what[1])


def digest(state, *more):
    """Tells states apart. The random bytes of an index do not make a state another one."""
    said = sorted((path, None if path.endswith("-shm") else what) for path, what in state.items())
    return hashlib.sha256(repr((said, more)).encode()).digest()


def generator(*seed):
    return random.Random(" ".join(map(str, seed)))
