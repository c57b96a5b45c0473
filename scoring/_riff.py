"""The layout of a wav file: which samples it holds, how they are written, and where they lie.

Conventions: sizes and offsets are bytes from the start of the file; a frame is one sample of every
channel. The file is only ever read forwards, so that a member of a zip can be looked at without
being unpacked. Nothing is decoded here.
"""

import struct
from typing import BinaryIO, NamedTuple

from scoring.errors import AudioError, Phrase
from scoring.rules import error

PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 0x0001, 0x0003, 0x0006, 0x0007, 0xFFFE
FORMS = (b"RIFF", b"RF64", b"BW64")
HEAD = 12
MOST_CHANNELS = 256

# A program that writes into a pipe cannot go back to fill in the length. It leaves 0, all ones, or
# the largest number it knows: some stop a little short of 2 GiB.
STREAMED_FROM = 0x7FFF_0000
# Others leave a round number; no answer lasts this long, so such a promise means nothing either.
POSSIBLE_SECONDS = 1_800

_ENCODINGS = {
    (PCM, 1): "8-bit PCM",
    (PCM, 2): "16-bit PCM",
    (PCM, 3): "24-bit PCM",
    (PCM, 4): "32-bit PCM",
    (FLOAT, 4): "32-bit float",
    (FLOAT, 8): "64-bit float",
    (A_LAW, 1): "A-law",
    (MU_LAW, 1): "mu-law",
}
_FOREIGN = {
    0x0002: "Microsoft ADPCM",
    0x0011: "IMA ADPCM",
    0x0031: "GSM 6.10",
    0x0050: "MPEG audio",
    0x0055: "MP3",
    0x00FF: "AAC",
}


class Layout(NamedTuple):
    """Where the samples of a wav file lie and how they are written.

    Attributes:
        tag: the format number (PCM, FLOAT, A_LAW or MU_LAW).
        channels: samples per frame.
        rate: frames per second.
        width: bytes of one sample.
        start: offset of the first sample.
        length: bytes of whole frames from there.
    """

    tag: int
    channels: int
    rate: int
    width: int
    start: int = 0
    length: int = 0

    @property
    def frame(self) -> int:
        """Bytes of one frame."""
        return self.channels * self.width

    @property
    def frames(self) -> int:
        """Number of frames."""
        return self.length // self.frame

    @property
    def encoding(self) -> str:
        """The encoding in words, for example ``16-bit PCM``."""
        return _ENCODINGS[self.tag, self.width]


def layout(stream: BinaryIO, *, size: int, path: str = "") -> Layout:
    """Read the chunk headers of a wav file up to its samples.

    Args:
        stream: the file, behind its first 12 bytes (which said that it is a wav).
        size: length of the whole file in bytes.
        path: name of the file, for messages.

    Raises:
        AudioError: ``audio-unreadable`` or ``audio-truncated``.
    """
    position, form, wide, head = HEAD, None, 0, b""
    while len(head := head + stream.read(8 - len(head))) == 8:
        name, promised = head[:4], int.from_bytes(head[4:], "little")
        position += 8
        if name == b"data":
            if form is None:
                break
            promised = wide if wide and promised == 0xFFFF_FFFF else promised
            there = _present(form, stream, promised=promised, there=size - position, path=path)
            _demand_end(stream, there, left=size - position - there, path=path)
            return form._replace(start=position, length=there - there % form.frame)
        taken = stream.read(min(promised, 40)) if name in (b"fmt ", b"ds64") else b""
        if name == b"fmt ":
            form = _form(taken, path)
        elif name == b"ds64" and len(taken) >= 16:
            wide = int.from_bytes(taken[8:16], "little")
        _skip(stream, promised - len(taken))
        # Some writers leave out the byte that fills up a chunk of odd length.
        filling = stream.read(promised % 2)
        head = filling if filling.isalpha() else b""
        position += promised + len(filling) - len(head)
    raise error(AudioError, "audio-unreadable:header", path)


def build(samples: bytes, form: Layout) -> bytes:
    """Return a plain wav file (one format chunk, one data chunk) around encoded samples."""
    description = struct.pack(
        "<HHIIHH",
        form.tag,
        form.channels,
        form.rate,
        form.rate * form.frame,
        form.frame,
        form.width * 8,
    )
    return _chunk(b"RIFF", b"WAVE" + _chunk(b"fmt ", description) + _chunk(b"data", samples))


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _form(chunk: bytes, path: str) -> Layout:
    if len(chunk) < 16:
        raise error(AudioError, "audio-unreadable:form", path)
    tag, channels, rate, _, align, bits = struct.unpack_from("<HHIIHH", chunk)
    if tag == EXTENSIBLE and len(chunk) >= 26:
        tag = int.from_bytes(chunk[24:26], "little")
    if not 1 <= channels <= MOST_CHANNELS or not rate:
        said = {"channels": f"{channels}", "rate": f"{rate}"}
        raise error(AudioError, "audio-unreadable:channels", path, **said)
    width = -(-bits // 8)
    if width == 3 and align == 4 * channels:  # 24 bits in the room of 32
        width = 4
    if (tag, width) not in _ENCODINGS:
        unnamed = Phrase("encoding-unknown", {"tag": f"0x{tag:04X}", "bits": f"{bits}"})
        found = _FOREIGN.get(tag, unnamed)
        raise error(AudioError, "audio-unreadable:encoding", path, found=found)
    return Layout(tag, channels, rate, width)


def _present(form: Layout, stream: BinaryIO, *, promised: int, there: int, path: str) -> int:
    """Return how many bytes of samples there are, given what the header promises."""
    if promised == 0:
        return 0 if _only_chunks(stream, there) else there
    if promised <= there:
        return promised
    is_possible = promised < min(STREAMED_FROM, POSSIBLE_SECONDS * form.rate * form.frame)
    if not is_possible or there // form.frame == promised // form.frame:
        return there
    found, said = (count // form.frame / form.rate for count in (there, promised))
    there_is = {"promised": f"{said:.2f}", "found": f"{found:.2f}"}
    raise error(AudioError, "audio-truncated:seconds", path, **there_is)


def _demand_end(stream: BinaryIO, samples: int, *, left: int, path: str) -> None:
    """Stop a file in which another recording follows: a part of an answer is no answer."""
    if left < HEAD:
        return
    _skip(stream, samples + samples % 2)
    if stream.read(len(FORMS[0])) in FORMS:
        raise error(AudioError, "audio-unreadable:joined", path)


def _only_chunks(stream: BinaryIO, left: int) -> bool:
    """Whether nothing but well-formed chunks follows: then a length of 0 is meant as it stands."""
    while left >= 8:
        head = stream.read(8)
        length = int.from_bytes(head[4:], "little")
        length += length % 2
        if not (head[:4].isascii() and head[:4].decode("ascii").isprintable()):
            return False
        left -= 8 + length
        _skip(stream, min(length, max(left + length, 0)))
    return left == 0


def _skip(stream: BinaryIO, count: int) -> None:
    while count > 0 and (piece := stream.read(min(count, 1 << 16))):
        count -= len(piece)
