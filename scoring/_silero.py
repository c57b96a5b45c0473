"""The Silero voice-activity network, run over many recordings at once.

Conventions: a recording is float32 at 16 kHz; a frame is 512 samples with the 64 before them, and
gets one speech probability. The weights are those of the package, taken from its TorchScript file.

The package walks through a recording frame by frame. But only the recurrent layer needs that: the
rest of the network sees one frame at a time, so it runs here over many frames in one matrix
product, and the recurrent layer runs over several recordings side by side. The package multiplies
by the Fourier basis; here a fast transform does the same. Matrix products and transforms go through
torch, because torch keeps to the number of threads it is told; magnitudes are numpy's, whose
absolute value of complex numbers is the faster one.

Sums come out in another order than in the package, so probabilities differ in the fifth decimal.
Where that could tip a decision, the package itself is asked (``exact``).
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from scoring.errors import EngineError

Samples = NDArray[np.float32]

FRAME = 512
CONTEXT = 64

# The network's own sizes: spectrum windows of 256 samples every 128, 4 to a frame, 129 bins;
# 64 samples are mirrored at the end of a frame.
MIRROR = 64
WINDOW, HOP, WINDOWS = 256, 128, 4
BINS = WINDOW // 2 + 1
WIDTH = 128

# How much to do at once, by measurement: frames in one matrix product (stays in the second-level
# cache), frames in one call of the recurrent layer (bounds the memory), recordings side by side.
CHUNK, BLOCK, BATCH = 128, 512, 8


class Layer(NamedTuple):
    """One convolution as a matrix product: (inputs, outputs) and (outputs,)."""

    weight: torch.Tensor
    bias: torch.Tensor

    def __call__(self, rows: torch.Tensor) -> torch.Tensor:
        """Multiply, add the bias, and cut off below 0."""
        return torch.addmm(self.bias, rows, self.weight).relu_()

    def at(self, rows: torch.Tensor, column: int, *, out: torch.Tensor) -> None:
        """Do the same around one column of each row; taps beyond the edges are left out."""
        width = len(self.weight) // 3
        first, last = max(column - 1, 0), min(column + 2, rows.shape[1] // width)
        tap = (first - column + 1) * width
        seen = rows[:, first * width : last * width]
        torch.addmm(self.bias, seen, self.weight[tap : tap + seen.shape[1]], out=out)
        out.relu_()


@dataclass(frozen=True, slots=True)
class Network:
    """The weights, laid out for matrix products.

    Attributes:
        taper: what a window is multiplied by before its spectrum: (256,).
        layers: the four convolutions of the encoder.
        recurrent: the LSTM.
        head: the last layer.
        silence: what the encoder makes of a frame of zeros: (128,).
    """

    taper: Samples
    layers: tuple[Layer, Layer, Layer, Layer]
    recurrent: torch.nn.LSTM
    head: Layer
    silence: torch.Tensor


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread, as the package asks for, and put the old number back afterwards.

    Importing the package sets the number for the whole process; hence it is imported in here.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def probabilities(recordings: Sequence[Samples]) -> list[Samples]:
    """Return the speech probability of every frame of every recording, in the order given."""
    results: list[Samples] = [np.empty(0, np.float32)] * len(recordings)
    order = sorted(range(len(recordings)), key=lambda index: -recordings[index].size)
    for first in range(0, len(order), BATCH):
        batch = order[first : first + BATCH]
        found = _batch(network(), [_frames(recordings[index]) for index in batch])
        for index, values in zip(batch, found, strict=True):
            results[index] = values
    return results


def exact(recording: Samples, frames: int) -> Samples:
    """Return the probabilities that the package itself gives to the first ``frames`` frames."""
    padded = torch.from_numpy(_frames(recording)[:frames, CONTEXT:].copy())
    with _PACKAGE_LOCK, torch.inference_mode():
        model = package_model()
        model.reset_states()
        values = [model(frame, 16_000).item() for frame in padded]
    return np.array(values, np.float32)


# The package's model keeps its state between calls: one recording at a time.
_PACKAGE_LOCK = threading.Lock()


@cache
def package() -> Any:
    """Import the package, on first use.

    Raises:
        EngineError: it cannot be imported.
    """
    try:
        import silero_vad
    except (ImportError, OSError) as cause:
        raise EngineError(
            f"Voice activity needs the package silero-vad, which cannot be loaded: {cause}.",
            cure="Install it as requirements.txt says; torchaudio must not be installed beside it.",
        ) from cause
    return silero_vad


@cache
def package_model() -> Any:
    """Load the package's own model, on first use."""
    return package().load_silero_vad()


@cache
def network() -> Network:
    """Take the weights out of the package's model, on first use."""
    state = {
        name.removeprefix("_model."): value.detach()
        for name, value in package_model().state_dict().items()
    }
    taper = state["stft.forward_basis_buffer"][0, 0].numpy()  # times the cosine of frequency 0
    recurrent = torch.nn.LSTM(WIDTH, WIDTH).requires_grad_(False)
    recurrent.load_state_dict(
        {f"{name}_l0": state[f"decoder.rnn.{name}"] for name in _RECURRENT_WEIGHTS}
    )
    head = Layer(
        state["decoder.decoder.2.weight"].reshape(WIDTH, 1), state["decoder.decoder.2.bias"]
    )
    net = Network(taper, _layers(state), recurrent, head, torch.empty(0))
    with torch.inference_mode():
        silence = _encode(net, np.zeros((1, CONTEXT + FRAME), np.float32))[0]
    return replace(net, silence=silence)


_RECURRENT_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _layers(state: dict[str, torch.Tensor]) -> tuple[Layer, Layer, Layer, Layer]:
    """Turn the convolutions (outputs, inputs, 3 taps) into matrices.

    The third one sees 2 columns and its first tap only padding; the fourth sees 1 column, and its
    outer taps only padding.
    """
    names = [f"encoder.{index}.reparam_conv" for index in range(4)]
    taps = [state[f"{name}.weight"].permute(2, 1, 0) for name in names]
    taps[2], taps[3] = taps[2][1:], taps[3][1:2]
    biases = [state[f"{name}.bias"] for name in names]
    first, second, third, fourth = (
        Layer(tap.reshape(-1, tap.shape[2]).contiguous(), bias)
        for tap, bias in zip(taps, biases, strict=True)
    )
    return first, second, third, fourth


def _frames(recording: Samples) -> Samples:
    """View a recording as overlapping frames, (frames, 576); the last is filled up with zeros."""
    count = -(-recording.size // FRAME)
    padded = np.zeros(CONTEXT + FRAME * count, np.float32)
    padded[CONTEXT : CONTEXT + recording.size] = recording
    step = padded.itemsize
    return as_strided(padded, (count, CONTEXT + FRAME), (FRAME * step, step), writeable=False)


def _batch(net: Network, recordings: Sequence[Samples]) -> list[Samples]:
    """Return the probabilities of some recordings, given as frames, the longest first."""
    results = [np.empty(len(frames), np.float32) for frames in recordings]
    state = (torch.zeros(1, len(recordings), WIDTH), torch.zeros(1, len(recordings), WIDTH))
    with torch.inference_mode():
        for start in range(0, len(recordings[0]), BLOCK):
            blocks = [frames[start : start + BLOCK] for frames in recordings if len(frames) > start]
            state = (state[0][:, : len(blocks)].clone(), state[1][:, : len(blocks)].clone())
            hidden, state = net.recurrent(_features(net, blocks), state)
            speech = torch.addmm(net.head.bias, hidden.relu_().view(-1, WIDTH), net.head.weight)
            values = speech.sigmoid_().view(-1, len(blocks)).numpy()
            for row, block in enumerate(blocks):
                results[row][start : start + len(block)] = values[: len(block), row]
    return results


def _features(net: Network, blocks: Sequence[Samples]) -> torch.Tensor:
    """Return what the recurrent layer hears: (frames of the longest, recordings, 128).

    Frames of digital silence, most of a dialogue, all encode to the same.
    """
    features = net.silence.repeat(len(blocks[0]), len(blocks), 1)
    for row, block in enumerate(blocks):
        sounding = np.flatnonzero((block.max(axis=1) != 0) | (block.min(axis=1) != 0))
        for start in range(0, len(sounding), CHUNK):
            chosen = sounding[start : start + CHUNK]
            features[torch.from_numpy(chosen), row] = _encode(net, block[chosen])
    return features


def _encode(net: Network, frames: Samples) -> torch.Tensor:
    """Run the encoder over frames, (n, 576) to (n, 128).

    Every row of a matrix holds the columns of one frame, so that a column and its neighbours are
    a stretch of it; what would be padding at the edges is not multiplied at all.
    """
    first, second, third, fourth = net.layers
    spectrum = _spectrum(net, frames).view(len(frames), -1)
    columns = torch.empty(len(frames), WINDOWS * WIDTH)
    for column in range(WINDOWS):
        first.at(spectrum, column, out=columns[:, column * WIDTH : (column + 1) * WIDTH])
    halved = torch.empty(len(frames), WIDTH)
    for column in range(0, WINDOWS, 2):
        second.at(columns, column, out=halved[:, column * WIDTH // 4 : (column + 2) * WIDTH // 4])
    return fourth(third(halved))


def _spectrum(net: Network, frames: Samples) -> torch.Tensor:
    """Return the magnitudes of the spectrum: (windows of all frames, 129)."""
    count, known = frames.shape
    mirrored = np.empty((count, known + MIRROR), np.float32)
    mirrored[:, :known] = frames
    mirrored[:, known:] = frames[:, known - 2 : known - 2 - MIRROR : -1]
    row, step = mirrored.strides
    windows = as_strided(mirrored, (count, WINDOWS, WINDOW), (row, HOP * step, step))
    waves = torch.fft.rfft(torch.from_numpy(windows * net.taper))
    return torch.from_numpy(np.abs(waves.numpy())).view(-1, BINS)
