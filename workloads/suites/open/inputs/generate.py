#!/usr/bin/python3
# Makes the generated inputs of the open suite: generate.py KIND >FILE. Every number comes from one small generator with
# a fixed seed for each kind, so that any Python 3 makes the same bytes.
import sys


class Draw:
    def __init__(self, seed):
        self.state = seed * 2654435761 % (1 << 64) | 1

    def bits(self):
        """64-bit xorshift* (Vigna 2014, "An experimental exploration of Marsaglia's xorshift generators")."""
        x = self.state
        x ^= x >> 12
        x ^= x << 25 & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 27
        self.state = x
        return (x * 2685821657736338717 & 0xFFFFFFFFFFFFFFFF) >> 11

    def below(self, n):
        return self.bits() % n

    def unit(self):
        return self.bits() / (1 << 53)

    def pick(self, items):
        return items[self.below(len(items))]

    def skewed(self, items):
        """Few items often, most rarely."""
        u = self.unit()
        return items[int(len(items) * u * u * u)]


SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ra se ti vo wa xe yo zu an er in or un th st ch pl tr".split()


def words(draw, n):
    return ["".join(draw.pick(SYLLABLES) for _ in range(1 + draw.below(4))) for _ in range(n)]


def log(out):
    """A web server's log: what Perl and awk scripts are mostly fed."""
    draw = Draw(1)
    vocabulary = words(draw, 3000)
    agents = ["agent/%d.%d (%s)" % (draw.below(9), draw.below(99), draw.pick(vocabulary)) for _ in range(60)]
    second = 0
    for _ in range(240000):
        second += draw.below(4)
        path = "/".join(draw.skewed(vocabulary) for _ in range(1 + draw.below(4)))
        query = "&".join("%s=%d" % (draw.skewed(vocabulary), draw.below(1000)) for _ in range(draw.below(3)))
        out.write('10.%d.%d.%d - %s [%02d/%02d:%02d:%02d] "%s /%s.html%s" %d %d "%s"\n' % (
            draw.below(4), draw.below(32), draw.below(256), draw.skewed(vocabulary), 1 + second // 86400,
            second // 3600 % 24, second // 60 % 60, second % 60, draw.pick(("GET", "GET", "GET", "POST", "HEAD")), path,
            "?" + query if query else "", draw.skewed((200, 304, 404, 302, 500)), draw.below(1 << 18), draw.pick(agents)))


def corpus(out):
    """Text, tables, pictures' smooth bytes, program-like records and noise in turn, for the compressors."""
    draw = Draw(2)
    vocabulary = words(draw, 8000)
    for turn in range(60):
        kind = turn % 5
        if kind == 0:
            for _ in range(9000):
                out.write(" ".join(draw.skewed(vocabulary) for _ in range(8)) + ".\n")
        elif kind == 1:
            for row in range(12000):
                out.write("%d;%s;%.3f;%d\n" % (row, draw.skewed(vocabulary), draw.unit() * 100, draw.below(50)))
        elif kind == 2:
            level = 128
            block = bytearray()
            for _ in range(300000):
                level = (level + draw.below(7) - 3) & 255
                block.append(level)
            out.flush()
            out.buffer.write(block)
        elif kind == 3:
            records = [draw.bits().to_bytes(8, "little") for _ in range(500)]
            out.flush()
            out.buffer.write(b"".join(draw.skewed(records) + bytes((0, 0, n & 255)) for n in range(40000)))
        else:
            out.flush()
            out.buffer.write(b"".join(draw.bits().to_bytes(7, "little") for _ in range(15000)))


def video(out):
    """Y4M, 640x360: a moving gradient with noise, boxes that fly over it and a cut now and then."""
    draw = Draw(3)
    width, height, frames = 640, 360, 80
    out.flush()
    raw = out.buffer
    raw.write(b"YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n" % (width, height))
    noise = bytes(draw.below(9) for _ in range(65536))
    boxes = [[draw.below(width), draw.below(height), 10 + draw.below(90), 10 + draw.below(70), draw.below(9) - 4,
              draw.below(9) - 4, draw.below(256)] for _ in range(14)]
    for frame in range(frames):
        scene = frame // 17
        ramp = bytes((x * (1 + scene) // 3 + frame * 2 & 127) + 40 for x in range(width * 2))
        luma = []
        for y in range(height):
            shift = (y * (2 + scene) // 3 + frame) % width
            start = (y * 631 + frame * 977) % (65536 - width)
            luma.append(bytearray(a + b for a, b in zip(ramp[shift:shift + width], noise[start:start + width])))
        for box in boxes:
            x, y = box[0] % width, box[1] % height
            for row in luma[y:y + box[3]]:
                n = min(box[2], width - x)
                row[x:x + n] = bytes(box[6] ^ (k & 7) for k in range(n))
            box[0] += box[4]
            box[1] += box[5]
        raw.write(b"FRAME\n" + b"".join(luma))
        for plane in range(2):
            raw.write(b"".join(bytes((x + y * (plane + 1) + frame * 3 >> 1) + 32 & 255 for x in range(width // 2))
                               for y in range(height // 2)))


def picture(out):
    """PPM, 1024x768: overlapping discs with soft edges on noise."""
    draw = Draw(4)
    width, height = 1024, 768
    discs = [(draw.below(width), draw.below(height), 20 + draw.below(120), draw.below(256), draw.below(256),
              draw.below(256)) for _ in range(50)]
    rows = [bytearray(draw.below(60) + (x * 97 // width) for x in range(width) for _ in range(3)) for _ in range(height)]
    for cx, cy, r, red, green, blue in discs:
        for y in range(max(0, cy - r), min(height, cy + r)):
            row = rows[y]
            for x in range(max(0, cx - r), min(width, cx + r)):
                d = (x - cx) * (x - cx) + (y - cy) * (y - cy)
                if d < r * r:
                    weight = 255 - 255 * d // (r * r)
                    at = 3 * x
                    row[at] += (red - row[at]) * weight // 256
                    row[at + 1] += (green - row[at + 1]) * weight // 256
                    row[at + 2] += (blue - row[at + 2]) * weight // 256
    out.flush()
    out.buffer.write(b"P6\n%d %d\n255\n" % (width, height) + b"".join(rows))


def scene(out):
    """A scene for tachyon: a few thousand spheres over a floor, two lights, mirrors among them."""
    draw = Draw(5)
    out.write("BEGIN_SCENE\nRESOLUTION 800 600\nCAMERA\nZOOM 1.4\nASPECTRATIO 1.0\nANTIALIASING 2\nRAYDEPTH 7\n"
              "CENTER 0 3 -14\nVIEWDIR 0 -0.15 1\nUPDIR 0 1 0\nEND_CAMERA\n")
    for x in (-9, 8):
        out.write("LIGHT CENTER %d 12 -8 RAD 0.1 COLOR 0.9 0.9 0.9\n" % x)
    out.write("PLANE CENTER 0 -2 0 NORMAL 0 1 0 TEXTURE AMBIENT 0.1 DIFFUSE 0.6 SPECULAR 0.2 OPACITY 1\n"
              "COLOR 0.6 0.7 0.6 TEXFUNC 0\n")
    for _ in range(4000):
        out.write("SPHERE CENTER %.3f %.3f %.3f RAD %.3f TEXTURE AMBIENT 0.1 DIFFUSE %.2f SPECULAR %.2f OPACITY 1\n"
                  "COLOR %.2f %.2f %.2f TEXFUNC 0\n" % (
                      draw.unit() * 20 - 10, draw.unit() * 9 - 2, draw.unit() * 20 - 4, 0.05 + 0.3 * draw.unit(),
                      0.2 + 0.5 * draw.unit(), 0.5 * draw.unit(), draw.unit(), draw.unit(), draw.unit()))
    out.write("END_SCENE\n")


def docbook(out):
    """A DocBook manual with sections, lists, tables, links and an index."""
    draw = Draw(6)
    vocabulary = words(draw, 2000)
    text = lambda n: " ".join(draw.skewed(vocabulary) for _ in range(n))
    out.write("<book id='top'><title>%s</title>\n" % text(3))
    for chapter in range(24):
        out.write("<chapter id='c%d'><title>%s</title><para>%s</para>\n" % (chapter, text(4), text(40)))
        for section in range(10):
            out.write("<section id='c%ds%d'><title>%s</title>\n" % (chapter, section, text(4)))
            for _ in range(4):
                out.write("<para>%s <emphasis>%s</emphasis> %s <xref linkend='c%ds%d'/> <indexterm><primary>%s</primary>"
                          "</indexterm>%s</para>\n" % (text(15), text(2), text(12), draw.below(24), draw.below(10),
                                                       text(1), text(10)))
            out.write("<itemizedlist>%s</itemizedlist>\n" % "".join(
                "<listitem><para>%s</para></listitem>" % text(9) for _ in range(5)))
            out.write("<table><title>%s</title><tgroup cols='3'><tbody>%s</tbody></tgroup></table>\n</section>\n" % (
                text(3), "".join("<row>%s</row>" % "".join("<entry>%s</entry>" % text(2) for _ in range(3))
                                 for _ in range(6))))
        out.write("</chapter>\n")
    out.write("<index/></book>\n")


def lp(out):
    """CPLEX LP format: transport with fixed costs on routes, a mixed integer problem."""
    draw = Draw(7)
    plants, shops = 30, 80
    cost = [[2 + draw.below(40) for _ in range(shops)] for _ in range(plants)]
    need = [5 + draw.below(30) for _ in range(shops)]
    room = sum(need) * 2 // plants
    out.write("Minimize\n cost: %s\n" % "\n".join(
        " + %d x%d_%d" % (cost[i][j], i, j) for i in range(plants) for j in range(shops)))
    out.write("\n".join(" + %d y%d" % (300 + draw.below(500), i) for i in range(plants)) + "\nSubject To\n")
    for j in range(shops):
        out.write(" need%d: %s >= %d\n" % (j, " + ".join("x%d_%d" % (i, j) for i in range(plants)), need[j]))
    for i in range(plants):
        out.write(" room%d: %s - %d y%d <= 0\n" % (i, " + ".join("x%d_%d" % (i, j) for j in range(shops)), room, i))
    for i in range(plants):
        for j in range(shops):
            out.write(" link%d_%d: x%d_%d - %d y%d <= 0\n" % (i, j, i, j, need[j], i))
    out.write("Binary\n%s\nEnd\n" % "\n".join(" y%d" % i for i in range(plants)))


def cnf(out):
    """Random 3-SAT near the threshold of 4.26 clauses a variable."""
    draw = Draw(8)
    variables, clauses = 260, 1112
    out.write("p cnf %d %d\n" % (variables, clauses))
    for _ in range(clauses):
        chosen = set()
        while len(chosen) < 3:
            chosen.add(1 + draw.below(variables))
        out.write(" ".join(str(v if draw.below(2) else -v) for v in sorted(chosen)) + " 0\n")


def graph(out):
    """A layered directed graph for dot."""
    draw = Draw(9)
    nodes = 1500
    out.write("digraph g {\n")
    for n in range(1, nodes):
        out.write("n%d -> n%d;\n" % (draw.below(n), n))
        if n > 12 and draw.below(3) == 0:
            out.write("n%d -> n%d;\n" % (n - 1 - draw.below(12), n))
    out.write("}\n")


def pcm(out):
    """WAV, 44.1 kHz, stereo, 16 bits: plucked strings (Karplus and Strong 1983) with noise."""
    draw = Draw(12)
    seconds = 90
    frames = 44100 * seconds
    left = [0] * frames
    right = [0] * frames
    for note in range(seconds * 5):
        period = 60 + draw.below(400)
        string = [draw.below(12000) - 6000 for _ in range(period)]
        start = note * 8800 + draw.below(2000)
        pan = draw.below(9)
        for k in range(min(26000, frames - start)):
            at = k % period
            value = string[at]
            string[at] = (value + string[(at + 1) % period]) * 498 // 1000
            left[start + k] += value * pan // 8
            right[start + k] += value * (8 - pan) // 8
    out.flush()
    raw = out.buffer
    size = frames * 4
    raw.write(b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
              + bytes((1, 0, 2, 0)) + (44100).to_bytes(4, "little") + (44100 * 4).to_bytes(4, "little")
              + bytes((4, 0, 16, 0)) + b"data" + size.to_bytes(4, "little"))
    block = bytearray()
    for l, r in zip(left, right):
        for value in (l, r):
            value = max(-32768, min(32767, value + draw.below(30) - 15))
            block += (value & 65535).to_bytes(2, "little")
    raw.write(block)


def circuit(out):
    """SPICE: a ring of CMOS inverters that drives a line of RC sections."""
    draw = Draw(13)
    stages, sections = 61, 60
    out.write("ring\n.model n nmos level=1 vto=0.7 kp=110u gamma=0.4 lambda=0.04 phi=0.7\n"
              ".model p pmos level=1 vto=-0.7 kp=50u gamma=0.57 lambda=0.05 phi=0.8\nvdd vdd 0 3.3\n")
    for n in range(stages):
        a, b = n, (n + 1) % stages
        width = 2 + draw.below(6)
        out.write("mp%d s%d s%d vdd vdd p w=%du l=1u\nmn%d s%d s%d 0 0 n w=%du l=1u\nc%d s%d 0 %df\n" % (
            n, b, a, 2 * width, n, b, a, width, n, b, 10 + draw.below(30)))
    for n in range(sections):
        out.write("r%d %s l%d %d\ncl%d l%d 0 %df\n" % (n, "s0" if n == 0 else "l%d" % (n - 1), n, 50 + draw.below(100), n, n,
                                                    5 + draw.below(9)))
    out.write(".ic v(s0)=3.3\n.tran 20p 2500n uic\n.control\nrun\nquit\n.endc\n.end\n")


def antenna(out):
    """NEC2: a field of dipoles before a grid, moment method."""
    draw = Draw(14)
    out.write("CM array\nCE\n")
    tag = 0
    for x in range(9):
        for y in range(9):
            tag += 1
            length = 0.2 + 0.1 * draw.unit()
            out.write("GW %d 11 %.4f %.4f %.4f %.4f %.4f %.4f 0.001\n" % (
                tag, x * 0.3, y * 0.3, -length, x * 0.3, y * 0.3, length))
    out.write("GE 0\nEX 0 41 6 0 1.0 0.0\nFR 0 3 0 0 299.8 5.0\nRP 0 37 72 1000 0.0 0.0 5.0 5.0\nEN\n")


def points(out):
    """Points for tetgen, unevenly spread."""
    draw = Draw(15)
    n = 170000
    out.write("%d 3 0 0\n" % n)
    for k in range(n):
        u = draw.unit()
        out.write("%d %.9f %.9f %.9f\n" % (k + 1, u * u, draw.unit(), draw.unit() * (0.2 + u)))


KINDS = {f.__name__: f for f in (log, corpus, video, picture, scene, docbook, lp, cnf, graph, pcm, circuit,
                                 antenna, points)}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in KINDS:
        sys.exit("usage: generate.py %s" % "|".join(KINDS))
    KINDS[sys.argv[1]](sys.stdout)
