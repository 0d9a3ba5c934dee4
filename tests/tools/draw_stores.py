"""Makes hostile results databases for hostile_stores.py: functions that change a store, through SQLite itself where that can do it. Each
gets a Site; MUTATIONS has all of them."""
import os
import re
import shutil
import socket
import sqlite3
import struct

JOURNAL_MAGIC = bytes.fromhex('d9d505f920a163d7')
TABLES = ('program', 'sweep', 'axis', 'axis_value', 'point', 'run', 'chip', 'chip_core', 'thread_name', 'thread', 'interval', 'timing')
ENDLESS = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) '
# Texts as names, labels and messages.
LINES = 'a\nb\rc\td'
TEXTS = ('', '\x1b[2J\x1b]0;owned\x07', LINES, '\u202egnp.exe', '\u009b31m', 'x' * 100000, '=cmd|A1', "'; DROP TABLE run; --",
         '<script>alert(1)</script>', '../../etc/passwd', '$(touch PWNED)', '%s%n', '1e999', '-0', 'nan', '\ufeff\u2028')
BYTES = (b'\xff\xfe\x80', b'\xc0\xaf', b'a\0b', b'\xed\xa0\x80', b'\xf4\x90\x80\x80')
NUMBERS = (-1, 0, 1, 2, 3, -2**63, 2**63 - 1, 2**31, 2**32, 2**53 + 1)
REALS = (float('inf'), float('-inf'), 1e308, -1e308, 5e-324, -0.0, 0.5, 1e19)


class Site:
    """A folder with the store s.sqlite, one with files that must not change, and numbers to draw."""

    def __init__(self, folder, victims, clean, rng):
        self.folder, self.victims, self.rng = folder, victims, rng
        self.db = os.path.join(folder, 's.sqlite')
        shutil.copyfile(clean, self.db)

    def connect(self):
        db = sqlite3.connect(self.db, isolation_level=None)
        db.execute('PRAGMA writable_schema = ON')
        return db

    def sql(self, *statements):
        db = self.connect()
        for statement in statements:
            db.execute(statement)
        db.close()

    def schema(self, statement, *values):
        """Changes rows of sqlite_schema."""
        db = self.connect()
        db.execute(statement, values)
        db.close()

    def patch(self, offset, data):
        with open(self.db, 'r+b') as f:
            f.seek(offset)
            f.write(data)

    def read(self):
        with open(self.db, 'rb') as f:
            return f.read()

    def write(self, suffix, data):
        with open(self.db + suffix, 'wb') as f:
            f.write(data)

    def relaxed(self, change):
        """Calls change(db) while columns take anything; the schema has its own text again after that."""
        db = self.connect()
        texts = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
        for name, text in texts:
            text = re.sub(r' NOT NULL| REFERENCES \w+', '', text)
            text = re.sub(r' (TEXT|REAL|INTEGER(?! PRIMARY KEY))\b', ' BLOB', text)
            db.execute('UPDATE sqlite_schema SET sql = ? WHERE name = ?', (text, name))
        db.close()
        db = self.connect()
        change(db)
        for name, text in texts:
            db.execute('UPDATE sqlite_schema SET sql = ? WHERE name = ?', (text, name))
        db.close()


# ---- What is no schema of ours: every command must refuse it and change nothing.

def schema_mutations():
    def statements(*texts):
        return lambda site: site.sql(*texts)

    for table in TABLES:
        yield 'view endless instead of ' + table, statements(
            'DROP TABLE ' + table, 'CREATE VIEW %s AS %sSELECT n AS id, n AS sweep, n AS run, n AS nr_points FROM c' % (table, ENDLESS))
    for table in 'run', 'sweep':
        yield 'view of a copy instead of ' + table, statements(
            'CREATE TABLE other AS SELECT * FROM ' + table, 'DROP TABLE ' + table, 'CREATE VIEW %s AS SELECT * FROM other' % table)
    yield 'another table', statements('CREATE TABLE extra (a)')
    yield 'another index', statements('CREATE INDEX extra ON run (state)')
    yield 'an index of an expression', statements('CREATE INDEX extra ON run (abs(state))')
    yield 'an index without its column', statements('DROP INDEX point_run', 'CREATE INDEX point_run ON point (position)')
    yield 'a partial index', statements('DROP INDEX point_run', 'CREATE INDEX point_run ON point (run) WHERE run > 3')
    yield 'another view', statements('CREATE VIEW extra AS %sSELECT n FROM c' % ENDLESS)
    yield 'its view endless', statements('DROP VIEW sweep_1', 'CREATE VIEW sweep_1 AS %sSELECT n FROM c' % ENDLESS)
    yield 'a trigger', statements('CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM sweep; END')
    yield 'a trigger on a view', statements('CREATE TRIGGER t INSTEAD OF INSERT ON sweep_1 BEGIN DELETE FROM sweep; END')
    yield 'statistics', statements('ANALYZE')
    yield 'a sequence', statements('CREATE TABLE extra (a INTEGER PRIMARY KEY AUTOINCREMENT)')
    yield 'a table for search', statements('CREATE VIRTUAL TABLE extra USING fts5(a)')
    yield 'a tree of rectangles', statements('CREATE VIRTUAL TABLE extra USING rtree(a, b, c)')
    yield 'a generated column', statements('ALTER TABLE run ADD COLUMN extra AS (hex(zeroblob(100000000)))')
    yield 'another column', statements('ALTER TABLE run ADD COLUMN extra DEFAULT 1')
    yield 'a renamed column', statements('ALTER TABLE timing RENAME COLUMN worker TO workers')
    yield 'a missing column', statements('ALTER TABLE timing DROP COLUMN worker')
    yield 'a renamed table', statements('ALTER TABLE timing RENAME TO timings')
    yield 'a missing table', statements('DROP TABLE interval')
    for what, old, new in (('type', 'state INTEGER', 'state TEXT'), ('collation', 'version TEXT', 'version TEXT COLLATE NOCASE'),
                           ('check', 'state INTEGER NOT NULL', 'state INTEGER NOT NULL CHECK (state < length(zeroblob(900000000)))'),
                           ('default', 'message TEXT', 'message TEXT DEFAULT (randomblob(100000000))'),
                           ('comment', 'CREATE TABLE', 'CREATE TABLE /* endless */'), ('case', 'CREATE TABLE run', 'create table run')):
        yield 'text of the schema: ' + what, lambda site, old=old, new=new: site.schema(
            'UPDATE sqlite_schema SET sql = replace(sql, ?, ?)', old, new)
    for what, change in (('a name that is NULL', "name = NULL WHERE name = 'timing'"), ('a text that is NULL', "sql = NULL WHERE name = 'timing'"),
                         ('a type that is none', "type = 'thing' WHERE name = 'timing'"),
                         ('a text of megabytes', "sql = sql || ' -- ' || hex(zeroblob(3000000)) WHERE name = 'timing'"),
                         ('bytes that are no text', "sql = x'ff00fe' WHERE name = 'timing'"),
                         ('the table of another', "tbl_name = 'run' WHERE name = 'point_run'"),
                         ('a name of SQLite', "name = 'sqlite_stat1' WHERE name = 'timing'"),
                         ('all rows the same', "name = 'run', sql = (SELECT sql FROM sqlite_schema WHERE name = 'run')")):
        yield 'schema with ' + what, lambda site, change=change: site.schema('UPDATE sqlite_schema SET ' + change)
    yield 'schema twice', lambda site: site.schema('INSERT INTO sqlite_schema SELECT * FROM sqlite_schema')
    yield 'no schema', lambda site: site.schema('DELETE FROM sqlite_schema')


# ---- What a header says of itself.

def header_mutations():
    for name, offset, data in (('application_id', 68, b'SAHX'), ('user_version 0', 60, bytes(4)), ('user_version -1', 60, b'\xff' * 4),
                               ('user_version 99', 60, b'\0\0\0\x63'), ('magic', 0, b'SQLite format 4'), ('schema format 99', 44, b'\0\0\0\x63'),
                               ('page size of nothing', 16, b'\0\0'), ('page size of 3000', 16, b'\x0b\xb8')):
        yield 'header: ' + name, True, lambda site, offset=offset, data=data: site.patch(offset, data)
    for name, offset, data in (('rollback mode', 18, b'\1\1'), ('unknown mode', 18, b'\3\3'), ('written by a log, read without', 18, b'\2\1'),
                               ('reserved bytes', 20, b'\xff'), ('fractions', 21, b'\1\2\3'), ('too many pages', 28, b'\x7f\xff\xff\xff'),
                               ('free pages', 32, b'\0\0\0\3\0\0\0\2'), ('a million free pages', 36, b'\0\x0f\xff\xff'),
                               ('cache of nothing', 48, b'\x80\0\0\0'), ('vacuum', 52, b'\0\0\0\x0a\0\0\0\0\0\0\0\1\0\0\0\1'),
                               ('encoding in two bytes', 56, b'\0\0\0\2'), ('encoding 9', 56, b'\0\0\0\x09'), ('page size of 512', 16, b'\2\0'),
                               ('page size of 65536', 16, b'\0\1')):
        yield 'header: ' + name, False, lambda site, offset=offset, data=data: site.patch(offset, data)
    for size in 512, 65536:
        yield 'pages of %d' % size, False, lambda site, size=size: site.sql('PRAGMA journal_mode = DELETE', 'PRAGMA page_size = %d' % size, 'VACUUM')
    for mode in 'FULL', 'INCREMENTAL':
        yield 'auto_vacuum ' + mode, False, lambda site, mode=mode: site.sql('PRAGMA auto_vacuum = ' + mode, 'VACUUM')
    yield 'made in UTF-16', False, in_utf16
    yield 'cut short', False, lambda site: os.truncate(site.db, site.rng.randrange(1, os.path.getsize(site.db)))
    yield 'cut to a page', False, lambda site: os.truncate(site.db, 4096)
    yield 'cut to nothing', False, lambda site: os.truncate(site.db, 0)
    yield 'a hole behind it', False, lambda site: os.truncate(site.db, 1 << 33)
    yield 'noise behind it', False, lambda site: site.patch(os.path.getsize(site.db), site.rng.randbytes(10000))


def in_utf16(site):
    """The same schema and rows in the other encoding."""
    old = sqlite3.connect(site.db)
    dump = list(old.iterdump())
    marks = [(mark, old.execute('PRAGMA ' + mark).fetchone()[0]) for mark in ('application_id', 'user_version')]
    old.close()
    os.unlink(site.db)
    db = sqlite3.connect(site.db, isolation_level=None)
    db.execute("PRAGMA encoding = 'UTF-16le'")
    for statement in dump:
        db.execute(statement)
    for mark in marks:
        db.execute('PRAGMA %s = %d' % mark)
    db.close()


# ---- Trees: roots and pages that lead elsewhere.

def tree_mutations():
    for name, root in (('0', 0), ('1', 1), ('-1', -1), ('beyond the end', 10**6), ('beyond 32 bits', 2**40), ('a text', 'x'), ('NULL', None)):
        yield 'root page ' + name, lambda site, root=root: site.schema("UPDATE sqlite_schema SET rootpage = ? WHERE name = 'run'", root)
    yield 'two tables of one root', lambda site: site.schema(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'run') WHERE name = 'sweep'")
    yield 'a table of the root of an index', lambda site: site.schema(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'point_run') WHERE name = 'point'")
    yield 'all of one root', lambda site: site.schema('UPDATE sqlite_schema SET rootpage = 2 WHERE rootpage > 0')
    yield 'pages that lead to each other', cyclic_pages
    yield 'a page that leads to itself', lambda site: site.patch(4096 * root_of(site, 'run') - 4096, interior(root_of(site, 'run'), 5))
    yield 'overflow that leads to itself', overflow_cycle
    yield 'cells in the header', lambda site: site.patch(4096 * root_of(site, 'run') - 4096 + 8, bytes(200))
    yield 'pages swapped', swap_pages
    yield 'an index that says else', disagree
    for nr in 1, 20:
        yield '%d bytes of noise' % nr, lambda site, nr=nr: noise(site, nr)


def root_of(site, name):
    db = sqlite3.connect('file:%s?immutable=1' % site.db, uri=True)
    root = db.execute('SELECT rootpage FROM sqlite_schema WHERE name = ?', (name,)).fetchone()[0]
    db.close()
    return root


def interior(child, kind):
    """A page of a tree that has cells only as leaves: two cells and a right child, all `child`."""
    cell = struct.pack('>I', child) + b'\1'
    page = bytearray(4096)
    page[0:12] = struct.pack('>BHHHBI', kind, 0, 2, 4086, 0, child)
    page[12:16] = struct.pack('>HH', 4086, 4091)
    page[4086:4096] = cell + struct.pack('>I', child) + b'\2'
    return bytes(page)


def cyclic_pages(site):
    first, second = root_of(site, 'run'), root_of(site, 'sweep')
    site.patch(4096 * first - 4096, interior(second, 5))
    site.patch(4096 * second - 4096, interior(first, 5))


def overflow_cycle(site):
    site.sql("UPDATE sweep SET config = config || hex(zeroblob(20000))")
    pages = site.read()
    # An overflow page begins with the number of the next one; every page that could be one leads to itself.
    for number in range(root_of(site, 'timing') + 1, len(pages) // 4096 + 1):
        if pages[4096 * number - 4096] == 0:
            site.patch(4096 * number - 4096, struct.pack('>I', number))


def swap_pages(site):
    pages = site.read()
    a, b = site.rng.sample(range(1, len(pages) // 4096), 2)
    site.patch(4096 * a, pages[4096 * b:4096 * b + 4096])
    site.patch(4096 * b, pages[4096 * a:4096 * a + 4096])


def disagree(site):
    db = site.connect()
    row = db.execute("SELECT * FROM sqlite_schema WHERE name = 'point_run'").fetchone()
    db.execute("DELETE FROM sqlite_schema WHERE name = 'point_run'")
    db.close()
    db = site.connect()
    db.execute('UPDATE point SET run = 9 - run')
    db.execute('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)', row)
    db.close()


def noise(site, nr):
    size = os.path.getsize(site.db)
    for _ in range(nr):
        site.patch(site.rng.randrange(100, size), site.rng.randbytes(1))


# ---- Cells: what rows hold.

def any_value(rng):
    kind = rng.randrange(6)
    return (None if kind == 0 else rng.choice(NUMBERS) if kind == 1 else rng.choice(REALS) if kind == 2 else
            rng.choice(TEXTS) if kind == 3 else rng.choice(BYTES) if kind == 4 else rng.randbytes(rng.choice((0, 1, 31, 32, 33, 5000))))


def bind(value, rng):
    """Bytes are a blob, or a text that is none."""
    return ('CAST(? AS TEXT)' if isinstance(value, bytes) and rng.randrange(2) else '?'), value


def any_cells(site, nr):
    def change(db):
        for _ in range(nr):
            table = site.rng.choice(TABLES)
            columns = [row[1] for row in db.execute('PRAGMA table_info(%s)' % table)]
            column = site.rng.choice(columns)
            place, value = bind(any_value(site.rng), site.rng)
            few = ' WHERE rowid = 1' if table in ('program', 'sweep', 'run', 'chip', 'thread_name', 'timing') and site.rng.randrange(2) else ''
            try:
                db.execute('UPDATE OR IGNORE %s SET "%s" = %s%s' % (table, column, place, few), (value,))
            except sqlite3.Error:
                pass
    site.relaxed(change)


def cell_mutations():
    def cells(*statements):
        def change(db):
            for statement in statements:
                db.execute(*(statement if isinstance(statement, tuple) else (statement,)))
        return lambda site: site.relaxed(change)

    for table, column in (('axis', 'name'), ('axis_value', 'label'), ('axis_value', 'settings'), ('sweep', 'name'), ('sweep', 'evaluator'),
                          ('sweep', 'config'), ('run', 'message'), ('chip', 'name'), ('thread_name', 'name'), ('program', 'version'),
                          ('chip_core', 'type'), ('chip_core', 'speedups_pct')):
        for nr, text in enumerate(TEXTS + BYTES):
            if text == LINES or (nr + len(column)) % 4 == 0:
                place = 'CAST(? AS TEXT)' if isinstance(text, bytes) else '?'
                yield '%s.%s is text %d' % (table, column, nr), cells(('UPDATE OR IGNORE %s SET %s = %s' % (table, column, place), (text,)))
    for table, column, values in (('sweep', 'nr_points', (0, -1, 2**63 - 1, 7, None)), ('axis', 'stride', (0, -1, 2**62, None)),
                                  ('axis', 'nr_values', (0, -1, 2**31, 2**63 - 1)), ('axis_value', 'value', (-5, 2**40)),
                                  ('point', 'position', (-1, 2**62)), ('point', 'run', (0, -1, 99)), ('run', 'state', (-1, 3, 2**40, 'x', None)),
                                  ('run', 'program', (0, 99)), ('run', 'chip', (99, -1)), ('run', 'nr_cores', (-1, 2**63 - 1)),
                                  ('run', 'nr_threads', (-1, 2**63 - 1)), ('run', 'speedup_mean', REALS[:2] + ('x',)),
                                  ('run', 'hash', (b'', b'x' * 31, b'x' * 1000)), ('sweep', 'identity', (b'', None)),
                                  ('thread', 'name', (99, None)), ('thread', 'completed_ns', (-1, 'x')), ('chip_core', 'count', (-1, 0, 2**63 - 1)),
                                  ('timing', 'wall_ns', (-2**63, 2**63 - 1, 'x')), ('sweep', 'planned', (-2**63, 2**63 - 1))):
        for value in values:
            yield '%s.%s is %.20s' % (table, column, value), cells(
                ('UPDATE OR IGNORE %s SET %s = ? WHERE rowid = (SELECT min(rowid) FROM %s)' % (table, column, table), (value,))
                if table not in ('axis', 'axis_value', 'point', 'thread', 'chip_core') else
                ('UPDATE OR IGNORE %s SET %s = ?' % (table, column), (value,)))
    yield 'ids that are negative', cells('UPDATE run SET id = -id', 'UPDATE point SET run = -run')
    yield 'ids that are largest', cells('UPDATE run SET id = id + 9223372036854775799', 'UPDATE point SET run = run + 9223372036854775799')
    yield 'ids in a circle', cells('UPDATE point SET run = run % 8 + 1', 'UPDATE run SET chip = id, program = id')
    yield 'a message of 40 MB', cells("UPDATE run SET message = hex(zeroblob(20000000)), state = 2 WHERE id = 1")
    yield 'a blob of 60 MB as configuration', cells('UPDATE sweep SET config = zeroblob(60000000)')
    yield 'a configuration that includes', cells("UPDATE sweep SET config = '@include \"/etc/passwd\"' || char(10) || config")
    yield 'no rows', cells(*('DELETE FROM ' + table for table in TABLES))
    for table in TABLES:
        yield 'no rows of ' + table, cells('DELETE FROM ' + table)
    many = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) '
    yield 'axes beyond number', cells(many % 20000 + "INSERT OR IGNORE INTO axis SELECT 1, n, 'a' || n, 1, 1 FROM c")
    yield 'values beyond number', cells(many % 200000 + "INSERT OR IGNORE INTO axis_value SELECT 1, 0, n, n, '' FROM c", 'UPDATE axis SET nr_values = 200001')
    yield 'points beyond number', cells(many % 100000 + 'INSERT OR IGNORE INTO point SELECT 1, n, 1 + n % 8 FROM c')
    yield 'threads beyond number', cells(many % 300000 + 'INSERT OR IGNORE INTO thread SELECT 1, n, 1, 0, 0, 0, 0, 0, 0, 0, 0 FROM c')
    yield 'cores beyond number', cells(many % 300000 + "INSERT OR IGNORE INTO chip_core SELECT 1, n, 'baseline', '', 1 FROM c")
    for nr in 1, 5, 50:
        yield '%d cells of anything' % nr, lambda site, nr=nr: any_cells(site, nr)


# ---- Companions: files beside it.

def journal(site, super_journal=None, pages=True, page_size=4096):
    """A hot journal as SQLite would leave it: the first page as it was, and what belongs to several databases."""
    nonce, page = 12345, bytearray(site.read()[:4096])
    page[200:210] = b'rolledback'
    header = JOURNAL_MAGIC + struct.pack('>IIIII', 1 if pages else 0, nonce, os.path.getsize(site.db) // 4096, 512, page_size)
    out = header + bytes(512 - len(header))
    if pages:
        check = nonce + sum(page[i] for i in range(4096 - 200, 0, -200))
        out += struct.pack('>I', 1) + bytes(page) + struct.pack('>I', check & 0xffffffff)
    if super_journal:
        name = os.fsencode(super_journal)
        out += struct.pack('>I', 0x40000000 // 4096 + 1) + name + struct.pack('>II', len(name), sum(name)) + JOURNAL_MAGIC
    return out


def hot_journal(site, to_victim, mode):
    site.patch(18, bytes([mode, mode]))
    victim = os.path.join(site.victims, 'super')
    site.write('-journal', journal(site, victim if to_victim else None))


def real_log(site, *statements):
    """The log of a writer that is killed."""
    db = site.connect()
    db.execute('PRAGMA journal_mode = WAL')
    db.execute('PRAGMA wal_autocheckpoint = 0')
    for statement in statements:
        db.execute(statement)
    files = {}
    for suffix in '', '-wal':
        with open(site.db + suffix, 'rb') as f:
            files[suffix] = f.read()
    db.close()
    for suffix, data in files.items():
        site.write(suffix, data)
    return files['-wal']


def changed_log(site, offset, data):
    log = bytearray(real_log(site, "UPDATE run SET message = 'from the log'"))
    log[offset:offset + len(data)] = data
    site.write('-wal', log)


def special(site, suffix, kind):
    path = site.db + suffix
    victim = os.path.join(site.victims, 'key')
    if os.path.lexists(path):
        os.unlink(path)
    if kind == 'fifo':
        os.mkfifo(path)
    elif kind == 'folder':
        os.mkdir(path)
        open(os.path.join(path, 'inside'), 'w').close()
    elif kind == 'link':
        os.symlink(victim, path)
    elif kind == 'dangling link':
        os.symlink(os.path.join(site.victims, 'new'), path)
    elif kind == 'link to itself':
        os.symlink(path, path)
    elif kind == 'hard link':
        os.link(victim, path)
    elif kind == 'endless file':
        os.symlink('/dev/zero', path)
    elif kind == 'socket':
        here = os.getcwd()
        os.chdir(site.folder)
        s = socket.socket(socket.AF_UNIX)
        s.bind(os.path.basename(path))
        s.close()
        os.chdir(here)
    elif kind == "another user's":
        with open(path, 'wb') as f:
            f.write(b'x' * 5000)
        os.chown(path, 65534, 65534)


def companion_mutations():
    for to_victim in False, True:
        for mode in 1, 2:
            yield 'hot journal%s, mode %d' % (' of several' if to_victim else '', mode), True, lambda site, v=to_victim, m=mode: hot_journal(site, v, m)
    yield 'journal of several without pages', True, lambda site: site.write('-journal', journal(site, os.path.join(site.victims, 'super'), False))
    yield 'journal of noise', True, lambda site: site.write('-journal', site.rng.randbytes(3000))
    yield 'journal of a page size that is none', True, lambda site: site.write('-journal', journal(site, None, True, 100))
    yield 'journal of a byte', True, lambda site: site.write('-journal', b'\0')
    yield 'journal of nothing', False, lambda site: site.write('-journal', b'')
    yield 'log of noise', True, lambda site: site.write('-wal', site.rng.randbytes(9000))
    yield 'log of nothing', False, lambda site: site.write('-wal', b'')
    yield 'log of a killed writer', False, lambda site: real_log(site, "UPDATE run SET message = 'from the log'")
    yield 'log with a table', True, lambda site: real_log(site, 'CREATE TABLE extra (a)')
    yield 'log with a view', True, lambda site: real_log(site, 'DROP TABLE run', 'CREATE VIEW run AS %sSELECT n AS id FROM c' % ENDLESS)
    yield 'log with other salts', False, lambda site: changed_log(site, 16, b'12345678')
    yield 'log with other sums', False, lambda site: changed_log(site, 24, b'12345678')
    yield 'log of another version', False, lambda site: changed_log(site, 4, b'\0\0\0\1')
    yield 'log of another page size', False, lambda site: changed_log(site, 8, b'\0\0\2\0')
    yield 'log of a far page', False, lambda site: changed_log(site, 32, b'\x7f\xff\xff\xff')
    yield 'log that is cut', False, lambda site: site.write('-wal', real_log(site, 'UPDATE run SET state = 2')[:-1000])
    yield 'index of noise', False, lambda site: site.write('-shm', site.rng.randbytes(32768))
    yield 'log and index of noise', False, lambda site: (real_log(site, 'UPDATE run SET state = 2'), site.write('-shm', site.rng.randbytes(32768)))
    for suffix in '-journal', '-wal', '-shm':
        for kind in 'fifo', 'folder', 'link', 'dangling link', 'link to itself', 'hard link', 'endless file', 'socket', "another user's":
            if kind != "another user's" or os.geteuid() == 0:
                yield '%s: %s' % (suffix, kind), True, lambda site, suffix=suffix, kind=kind: special(site, suffix, kind)
    for kind in 'fifo', 'folder', 'link', 'dangling link', 'link to itself', 'hard link', 'endless file', 'socket':
        yield 'the store itself: ' + kind, True, lambda site, kind=kind: special(site, '', kind)


# name, whether every command must refuse it and change nothing, the change
MUTATIONS = ([(name, True, change) for name, change in schema_mutations()] + list(header_mutations()) +
             [(name, False, change) for name, change in tree_mutations()] +
             [(name, False, change) for name, change in cell_mutations()] + list(companion_mutations()))
# Those that several of can be made one after the other.
COMBINED = [(name, change) for name, change in cell_mutations()] + [(name, change) for name, change in tree_mutations()]
