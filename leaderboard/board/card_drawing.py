"""Draw a card as a PNG picture, 1200 by 630, for pages elsewhere that show a link.

Conventions: one light drawing with the colours of ``static/css/tokens.css``. Chinese needs a font
of the system; without one, Pillow's own Latin font is taken and the card speaks English.
"""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from leaderboard.board.card import Card, Line

VERSION = 2  # changes with the drawing
SIZE = WIDTH, HEIGHT = 1200, 630
EDGE, PAD = 64, 12
MARK, SMOOTH = 52, 4
PAPER, TEXT, SOFT, RULE, OWN = "#ffffff", "#191e24", "#56606b", "#d8dde2", "#e7f0f8"
USER, MODEL, WARNING = "#aa4a84", "#d55e00", "#8a4b00"
# Where Debian and its kin keep Noto Sans CJK; face 2 of the collection is simplified Chinese.
FOLDERS = ("/usr/share/fonts/opentype/noto", "/usr/share/fonts/noto-cjk")
REGULAR, BOLD, FACE = "NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", 2
# Vertical places, and the right ends of the columns.
TITLE, SUBTITLE, HEADS, ROWS, ROW, FOOT = 132, 202, 262, 306, 50, 576
RANK_END, RANGE, NAME, TOTAL_END, INTERVAL = 128, 142, 236, 1000, 1012

# Pillow's own font lacks these.
PLAIN_DASHES = str.maketrans("–—", "--")

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Faces(NamedTuple):
    """Files of the two weights."""

    regular: Path
    bold: Path


def faces(chosen: str = "") -> Faces | None:
    """Find a font with Chinese: the one chosen, or one of the system; ``None`` if there is none."""
    if chosen:
        return Faces(Path(chosen), Path(chosen))
    for folder in map(Path, FOLDERS):
        found = Faces(folder / REGULAR, folder / BOLD)
        if found.regular.is_file() and found.bold.is_file():
            return found
    return None


def png(card: Card, found: Faces | None) -> bytes:
    """Return the picture."""
    image = Image.new("RGB", SIZE, PAPER)
    pen = _Pen(ImageDraw.Draw(image), found)
    _head(image, pen, card)
    for number, line in enumerate(card.lines):
        _row(pen, line, ROWS + ROW * number)
    pen.write(card.foot, (EDGE, FOOT), 22, SOFT, room=WIDTH - 2 * EDGE)
    if card.stamp:
        _stamp(pen, card.stamp)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


class _Pen:
    """Writes texts in one font, cut where there is no room."""

    def __init__(self, draw: ImageDraw.ImageDraw, found: Faces | None) -> None:
        self.draw, self.found = draw, found

    def write(
        self,
        text: str,
        place: tuple[int, int],
        size: int,
        ink: str = TEXT,
        *,
        bold: bool = False,
        anchor: str = "ls",
        room: int = WIDTH,
    ) -> int:
        """Write from the baseline, and return how wide it became."""
        font = _font(self.found, size, bold=bold)
        shown = _fitting(text if self.found else text.translate(PLAIN_DASHES), font, room)
        self.draw.text(place, shown, fill=ink, font=font, anchor=anchor)
        return round(font.getlength(shown))


@cache
def _font(found: Faces | None, size: int, *, bold: bool) -> Font:
    if found is None:
        return ImageFont.load_default(size)
    path = found.bold if bold else found.regular
    return ImageFont.truetype(path, size, index=FACE if path.suffix == ".ttc" else 0)


def _fitting(text: str, font: Font, room: int) -> str:
    if font.getlength(text) <= room:
        return text
    return next(shown for shown in _shorter(text) if font.getlength(shown) <= room)


def _shorter(text: str) -> Iterable[str]:
    for length in range(len(text) - 1, 0, -1):
        yield f"{text[:length].rstrip()}…"
    yield ""


def _head(image: Image.Image, pen: _Pen, card: Card) -> None:
    image.paste(_mark(), (EDGE, 40))
    room = WIDTH // 2 - 2 * EDGE if card.stamp else WIDTH - 2 * EDGE - 64
    pen.write(card.site, (EDGE + 64, 78), 28, bold=True, room=room)
    pen.write(card.title, (EDGE, TITLE + 26), 50, bold=True, room=WIDTH - 2 * EDGE)
    pen.write(card.subtitle, (EDGE, SUBTITLE), 26, SOFT, room=WIDTH - 2 * EDGE)
    if card.lines:
        rank, system, total = card.heads
        pen.write(rank, (RANK_END, HEADS), 20, SOFT, anchor="rs")
        pen.write(system, (NAME, HEADS), 20, SOFT)
        pen.write(total, (TOTAL_END, HEADS), 20, SOFT, anchor="rs")
        pen.draw.line((EDGE, HEADS + 10, WIDTH - EDGE, HEADS + 10), RULE, 2)


def _stamp(pen: _Pen, text: str) -> None:
    """A warning in a frame, at the top right, where no cut of the picture loses it."""
    size, room = 24, WIDTH // 2
    font = _font(pen.found, size, bold=True)
    shown = _fitting(text if pen.found else text.translate(PLAIN_DASHES), font, room)
    right, left = WIDTH - EDGE, WIDTH - EDGE - round(font.getlength(shown)) - 2 * PAD
    pen.draw.rounded_rectangle((left, 44, right, 88), 8, PAPER, WARNING, 3)
    pen.write(shown, (left + PAD, 75), size, WARNING, bold=True)


def _mark() -> Image.Image:
    """Two lanes of speech that overlap, and the stretch in which they do; with smooth edges."""
    image = Image.new("RGB", (MARK * SMOOTH, MARK * SMOOTH), PAPER)
    draw, unit = ImageDraw.Draw(image), MARK * SMOOTH / 32
    for left, top, ink in ((2, 6, USER), (12, 18, MODEL)):
        box = [unit * one for one in (left, top, left + 18, top + 8)]
        draw.rounded_rectangle(box, 4 * unit, ink)
    for at in (12, 20):
        for top in range(3, 29, 5):
            draw.line([unit * one for one in (at, top, at, top + 2)], TEXT, round(unit))
    return image.resize((MARK, MARK), Image.Resampling.LANCZOS)


def _row(pen: _Pen, line: Line, y: int) -> None:
    if line.is_own:
        pen.draw.rectangle((EDGE - PAD, y - 36, WIDTH - EDGE + PAD, y + 14), OWN)
    pen.write(line.rank, (RANK_END, y), 30, bold=True, anchor="rs")
    pen.write(line.ranks, (RANGE, y), 20, SOFT, room=NAME - RANGE - 8)
    room = TOTAL_END - NAME - 110
    width = pen.write(line.name, (NAME, y), 30, bold=line.is_own, room=room)
    if line.team and room - width > 80:
        pen.write(line.team, (NAME + width + 16, y), 22, SOFT, room=room - width - 16)
    pen.write(line.total, (TOTAL_END, y), 30, bold=True, anchor="rs")
    pen.write(line.interval, (INTERVAL, y), 20, SOFT, room=WIDTH - EDGE - INTERVAL)
