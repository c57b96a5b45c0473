"""Tiny models on disk that the real loading code of FunASR and onnx-asr accepts.

They have the files and the shapes of the official ones and hear nothing sensible; what matters is
that packages, folders, calls and results are the real ones. Built in a blink, never committed.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import yaml
from onnx import TensorProto, helper, numpy_helper

CHARACTERS = list(
    "我你好是的一不了在有人这上们来到时大地为子中说生国年着就那和要她出也得里后自以会"
)
TOKENS = ["<blank>", "<s>", "</s>", *CHARACTERS, "he@@", "llo", "<unk>"]

FIRES, NEVER_FIRES = -1.2, -20.0


def paraformer(root: Path, *, fires: float = FIRES, vad_hears: bool = True) -> Path:
    """Write ``paraformer-zh`` and ``fsmn-vad`` below ``root`` and return it.

    Args:
        root: folder to write to.
        fires: bias of the predictor: ``FIRES`` gives about four characters a second,
            ``NEVER_FIRES`` none at all.
        vad_hears: whether the engine's own voice activity hears anything.
    """
    _paraformer(root / "paraformer-zh", fires)
    _fsmn(root / "fsmn-vad", vad_hears)
    return root


def parakeet(folder: Path, *, says: tuple[tuple[int, str], ...]) -> Path:
    """Write a transducer that says a fixed token at given frames of 80 ms.

    The encoder passes on how loud each frame is. The decoder says the next token of ``says``
    wherever it meets sound, and skips the token's number of frames after it.

    Args:
        folder: to write to.
        says: pairs of (frames to skip after the token, token).
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokens = [token for _, token in says]
    (folder / "vocab.txt").write_text(
        "".join(f"{token} {number}\n" for number, token in enumerate([*tokens, "<blk>"])), "utf-8"
    )
    config = {"model_type": "nemo-conformer-tdt", "features_size": 128, "subsampling_factor": 8}
    (folder / "config.json").write_text(json.dumps(config))
    onnx.save(_encoder(), folder / "encoder-model.onnx")
    onnx.save(_decoder([skip for skip, _ in says]), folder / "decoder_joint-model.onnx")
    return folder


def _paraformer(folder: Path, fires: float) -> None:
    folder.mkdir(parents=True)
    (folder / "tokens.json").write_text(json.dumps(TOKENS, ensure_ascii=False), "utf-8")
    _write_statistics(folder, 560)
    config = _paraformer_config()
    (folder / "config.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
    _link(folder, "tokenizer_conf", token_list="tokens.json")
    model = _build(folder, config)
    with torch.no_grad():
        model.predictor.cif_output.weight.fill_(0)
        model.predictor.cif_output.bias.fill_(fires)
    torch.save(model.state_dict(), folder / "model.pt")


def _fsmn(folder: Path, hears: bool) -> None:
    folder.mkdir(parents=True)
    _write_statistics(folder, 400)
    config = _fsmn_config()
    (folder / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    _link(folder, "")
    model = _build(folder, config)
    with torch.no_grad():
        silence = model.encoder.out_linear2.linear.bias
        silence[0] = -8.0 if hears else 12.0
    torch.save(model.state_dict(), folder / "model.pt")


def _link(folder: Path, key: str, **files: str) -> None:
    """Write the file that tells FunASR what lies in the folder, as the hub's folders have it."""
    metas: dict[str, Any] = {
        "init_param": "model.pt",
        "config": "config.yaml",
        "frontend_conf": {"cmvn_file": "am.mvn"},
    }
    if key:
        metas[key] = files
    (folder / "configuration.json").write_text(json.dumps({"file_path_metas": metas}))


def _build(folder: Path, config: dict[str, Any]) -> Any:
    from funasr import AutoModel

    torch.manual_seed(0)
    conf = json.loads(json.dumps(config))
    conf["frontend_conf"]["cmvn_file"] = str(folder / "am.mvn")
    if "tokenizer_conf" in conf:
        conf["tokenizer_conf"]["token_list"] = str(folder / "tokens.json")
    model, _ = AutoModel.build_model(device="cpu", ncpu=1, **conf)
    return model


def _write_statistics(folder: Path, size: int) -> None:
    shift, scale = " ".join(["-8.3"] * size), " ".join(["0.11"] * size)
    (folder / "am.mvn").write_text(
        f"<Nnet>\n<Splice> {size} {size}\n[ 0 ]\n"
        f"<AddShift> {size} {size}\n<LearnRateCoef> 0 [ {shift} ]\n"
        f"<Rescale> {size} {size}\n<LearnRateCoef> 0 [ {scale} ]\n</Nnet>\n"
    )


def _attention(**more: Any) -> dict[str, Any]:
    return {
        "attention_heads": 2,
        "linear_units": 64,
        "kernel_size": 11,
        "sanm_shfit": 0,  # spelt so by the engine
        **more,
    }


def _paraformer_config() -> dict[str, Any]:
    decoder = _attention(num_blocks=1, att_layer_num=1)
    return {
        "model": "SeacoParaformer",
        "model_conf": {
            "ctc_weight": 0.0,
            "lsm_weight": 0.1,
            "length_normalized_loss": True,
            "predictor_weight": 1.0,
            "predictor_bias": 1,
            "sampling_ratio": 0.75,
            "inner_dim": 32,
            "bias_encoder_type": "lstm",
            "bias_encoder_bid": False,
            "seaco_lsm_weight": 0.1,
            "seaco_length_normal": True,
            "train_decoder": True,
            "NO_BIAS": len(TOKENS) - 2,
        },
        "encoder": "SANMEncoder",
        "encoder_conf": _attention(
            output_size=32,
            num_blocks=2,
            input_layer="pe",
            pos_enc_class="SinusoidalPositionEncoder",
            normalize_before=True,
            selfattention_layer_type="sanm",
        ),
        "decoder": "ParaformerSANMDecoder",
        "decoder_conf": decoder,
        "seaco_decoder": "ParaformerSANMDecoder",
        "seaco_decoder_conf": decoder
        | {"kernel_size": 21, "use_output_layer": False, "wo_input_layer": True},
        "predictor": "CifPredictorV3",
        "predictor_conf": {
            "idim": 32,
            "threshold": 1.0,
            "l_order": 1,
            "r_order": 1,
            "tail_threshold": 0.45,
            "smooth_factor2": 0.25,
            "noise_threshold2": 0.01,
            "upsample_times": 3,
            "use_cif1_cnn": False,
            "upsample_type": "cnn_blstm",
        },
        "frontend": "WavFrontend",
        "frontend_conf": _frontend(7, 6),
        "tokenizer": "CharTokenizer",
        "tokenizer_conf": {"unk_symbol": "<unk>", "split_with_space": True},
    }


def _fsmn_config() -> dict[str, Any]:
    return {
        "frontend": "WavFrontendOnline",
        "frontend_conf": _frontend(5, 1),
        "model": "FsmnVADStreaming",
        "model_conf": {
            "sample_rate": 16000,
            "detect_mode": 1,
            "snr_mode": 0,
            "max_end_silence_time": 800,
            "max_start_silence_time": 3000,
            "do_start_point_detection": True,
            "do_end_point_detection": True,
            "window_size_ms": 200,
            "sil_to_speech_time_thres": 150,
            "speech_to_sil_time_thres": 150,
            "speech_2_noise_ratio": 1.0,
            "do_extend": 1,
            "lookback_time_start_point": 200,
            "lookahead_time_end_point": 100,
            "max_single_segment_time": 60000,
            "snr_thres": -100.0,
            "noise_frame_num_used_for_snr": 100,
            "decibel_thres": -100.0,
            "speech_noise_thres": 0.6,
            "fe_prior_thres": 0.0001,
            "silence_pdf_num": 1,
            "sil_pdf_ids": [0],
            "speech_noise_thresh_low": -0.1,
            "speech_noise_thresh_high": 0.3,
            "output_frame_probs": False,
            "frame_in_ms": 10,
            "frame_length_ms": 25,
        },
        "encoder": "FSMN",
        "encoder_conf": {
            "input_dim": 400,
            "input_affine_dim": 140,
            "fsmn_layers": 2,
            "linear_dim": 64,
            "proj_dim": 32,
            "lorder": 20,
            "rorder": 0,
            "lstride": 1,
            "rstride": 0,
            "output_affine_dim": 140,
            "output_dim": 248,
        },
    }


def _frontend(stacked: int, step: int) -> dict[str, Any]:
    return {
        "fs": 16000,
        "window": "hamming",
        "n_mels": 80,
        "frame_length": 25,
        "frame_shift": 10,
        "lfr_m": stacked,
        "lfr_n": step,
        "dither": 0.0,
    }


def _encoder() -> onnx.ModelProto:
    """Features [B, 128, T] to the loudest value of every eight frames, [B, 1, T / 8].

    The engine centres features over the recording, so sound is above 0 and silence is not.
    """
    nodes = [
        helper.make_node("ReduceMax", ["audio_signal", "channels"], ["loudest"], keepdims=1),
        helper.make_node(
            "MaxPool", ["loudest"], ["outputs"], kernel_shape=[8], strides=[8], ceil_mode=1
        ),
        helper.make_node("Add", ["length", "seven"], ["rounded"]),
        helper.make_node("Div", ["rounded", "eight"], ["encoded_lengths"]),
    ]
    return _graph(
        nodes,
        {"audio_signal": (_FLOAT, ["b", 128, "t"]), "length": (_LONG, ["b"])},
        {"outputs": (_FLOAT, ["b", 1, "s"]), "encoded_lengths": (_LONG, ["b"])},
        {"channels": np.array([1]), "seven": np.array(7), "eight": np.array(8)},
    )


def _decoder(skips: list[int]) -> onnx.ModelProto:
    """The token after ``targets`` where there is sound, else blank; then its skip of 0 to 4."""
    count = len(skips)
    after = np.zeros((count + 1, count + 1 + 5), np.float32)
    for previous in range(count + 1):
        number = 0 if previous == count else previous + 1
        after[previous, number] = 10.0  # the last token is followed by blank
        after[previous, count + 1 + (skips[number] if number < count else 1)] = 10.0
    silent = np.zeros(count + 1 + 5, np.float32)
    silent[count], silent[count + 2] = 10.0, 10.0
    nodes = [
        helper.make_node("Gather", ["after", "targets"], ["next"]),
        helper.make_node("Greater", ["encoder_outputs", "quiet"], ["sound"]),
        helper.make_node("Where", ["sound", "next", "silent"], ["flat"]),
        helper.make_node("Reshape", ["flat", "shape"], ["outputs"]),
        helper.make_node("Identity", ["target_length"], ["prednet_lengths"]),
        helper.make_node("Identity", ["input_states_1"], ["output_states_1"]),
        helper.make_node("Identity", ["input_states_2"], ["output_states_2"]),
    ]
    state = (_FLOAT, [2, 1, 4])
    return _graph(
        nodes,
        {
            "encoder_outputs": (_FLOAT, [1, 1, 1]),
            "targets": (_INT, [1, 1]),
            "target_length": (_INT, [1]),
            "input_states_1": state,
            "input_states_2": state,
        },
        {
            "outputs": (_FLOAT, [1, 1, 1, count + 6]),
            "prednet_lengths": (_INT, [1]),
            "output_states_1": state,
            "output_states_2": state,
        },
        {
            "after": after,
            "silent": silent,
            "quiet": np.array(1.0, np.float32),
            "shape": np.array([1, 1, 1, -1]),
        },
    )


_FLOAT, _INT, _LONG = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64
_Ports = dict[str, tuple[int, list[Any]]]


def _graph(
    nodes: list[onnx.NodeProto], inputs: _Ports, outputs: _Ports, constants: dict[str, Any]
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, *port) for name, port in inputs.items()],
        [helper.make_tensor_value_info(name, *port) for name, port in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
