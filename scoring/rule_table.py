"""Every rule of the check: its code, how grave it is, and its sentences.

Conventions: a rule is named by its code, with ``:variant`` where one code has several sentences.
Sentences are templates with named places such as ``%(name)s``; a per cent sign is written twice.
They are English here; the site translates them by these very texts, and the pre-flight in the
browser fills the same templates. Nothing else in the project words a finding.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Rule(NamedTuple):
    """One rule.

    Attributes:
        severity: ``error`` refuses the archive, ``warning`` is scored but worth a look, ``note``.
        rule: what was expected and what was found.
        cure: how to mend it.
        in_directory: whether the directory of a zip tells, so that a browser knows it before the
            upload; otherwise the content of the files must be read.
    """

    severity: Severity
    rule: str
    cure: str
    in_directory: bool = True


def gettext_noop(text: str) -> str:
    """Mark a text for the translators of the site; it stays as it is."""
    return text


def _error(rule: str, cure: str) -> Rule:
    return Rule("error", rule, cure)


def _warning(rule: str, cure: str) -> Rule:
    return Rule("warning", rule, cure)


def _note(rule: str, cure: str) -> Rule:
    return Rule("note", rule, cure)


_ = gettext_noop
_ZIP_AGAIN = _("Zip the folder again, for example with `zip -r HD-Track2.zip HD-Track2`.")
_COMPARE = _("Compare its size with the original, then send it or make it again.")
_FINDER = _("Some programs (macOS Finder) write such archives. Use `zip -r` on the command line.")
_NOTHING = _("Nothing needs to be done.")
_IGNORED = _("It is not scored; leave it out or ignore this line.")
_OUTPUT_NAMES = _(
    "The names of outputs end in _output.wav. It is not scored; leave it out or ignore this line."
)
_CHECK_NAME = _("Check the name. It is not scored; leave it out or ignore this line.")
_TREE = _("The expected tree is %(tree)s.")
_ONLY = _("Put only the output recordings into it.")

ARCHIVE: Mapping[str, Rule] = {
    "archive-unreadable:open": _error(
        _("%(name)s cannot be opened: %(why)s."), _("Check the path and the permissions.")
    ),
    "archive-unreadable:read": _error(_("The file cannot be read: %(why)s."), _("Send it again.")),
    "archive-too-large": _error(
        _("The archive has %(size)s; the limit is %(limit)s."),
        _("Write the recordings with 16 kHz and 16 bits, and deflate them."),
    ),
    "archive-not-zip": _error(_("The file is no zip archive: %(found)s."), _ZIP_AGAIN),
    "archive-prepended": _error(
        _(
            "The file starts with %(count)s bytes that belong to no zip, as self-extracting"
            " archives do."
        ),
        _("Make a plain zip, for example with `zip -r HD-Track2.zip HD-Track2`."),
    ),
    "archive-truncated:directory": _error(
        _("The zip is not complete: its directory cannot be read."), _COMPARE
    ),
    "archive-truncated:inside": _error(
        _("The zip is not complete: %(count)s bytes are missing from its inside."), _COMPARE
    ),
    "archive-truncated:first": _error(
        _("The zip is not complete: %(count)s bytes of something else come before its first file."),
        _COMPARE,
    ),
    "archive-truncated:reach": _error(
        _("The zip is not complete: a file would end %(count)s bytes after the last one."),
        _COMPARE,
    ),
    "archive-zip64-broken:record": _error(
        _(
            "The zip is larger than the plain format can tell, and its zip64 record is missing or"
            " damaged."
        ),
        _FINDER,
    ),
    "archive-zip64-broken:wrapped": _error(
        _(
            "The zip is larger than the plain format can tell, and its positions start again at"
            " 4 GiB."
        ),
        _FINDER,
    ),
    "archive-zip64-broken:member": _error(
        _("The zip is larger than the plain format can tell, and the size of a file is missing."),
        _FINDER,
    ),
    "archive-too-many-members": _error(
        _("The archive has %(found)s members; the limit is %(limit)s."), _ONLY
    ),
    "archive-too-many-members:folder": _error(
        _("The folder has more than %(limit)s files, which is the limit."), _ONLY
    ),
    "archive-too-many-members:directory": _error(
        _("The archive has a directory of %(found)s bytes; the limit is %(limit)s bytes."), _ONLY
    ),
    "archive-encrypted": _error(
        _("The file is encrypted, and nobody here has its password."),
        _("Zip the folder again without a password."),
    ),
    "member-compression-unknown": _error(
        _("Files in the zip must be stored or deflated, found %(method)s."),
        _("Choose the method Deflate."),
    ),
    "member-overlap": _error(
        _("The bytes of this file belong to another file of the archive as well."), _ZIP_AGAIN
    ),
    "member-damaged": _error(
        _("The file cannot be read: %(why)s."),
        _("Check the original recording, then zip the folder again."),
    )._replace(in_directory=False),
    "member-name-too-long": _error(
        _("The name has %(count)s characters; the limit is %(limit)s."), _("Use shorter folders.")
    ),
    "member-path-unsafe": _error(
        _("A path in the archive must stay inside it: not absolute, no drive, no '..', no NUL."),
        _("Zip from inside the parent folder."),
    ),
    "member-backslash": _error(
        _("Folders in a zip are separated by '/', found a back-slash."),
        _("Use a current zip program."),
    ),
    "member-bomb": _error(
        _(
            "The file unpacks from %(packed)s to %(size)s bytes. Above %(free)s bytes it may be"
            " %(ratio)s times its packed size, and never larger than %(limit)s bytes."
        ),
        _("Hand in plain recordings, as long as the input and some seconds more."),
    ),
    "member-symlink": _error(
        _("Only plain files can be scored, found a link or a special file."),
        _("Put the file itself in its place; zip does so without the option --symlinks."),
    ),
    "member-duplicate": _error(
        _("The archive holds two files of this name, so it is open which one counts."),
        _("Keep one."),
    ),
    "member-case-clash": _error(
        _("The name differs from %(twin)s in capitals only; many systems keep just one of them."),
        _("Keep one of the two, or rename it."),
    ),
    "member-case-clash:form": _error(
        _(
            "The name differs from %(twin)s only in how its letters are coded (Unicode NFC and"
            " NFD); many systems keep just one of them."
        ),
        _("Keep one of the two, or rename it."),
    ),
    "system-files-ignored": _note(
        _("%(count)s system file(s) were ignored, such as %(name)s."), _NOTHING
    ),
}

NAMES: Mapping[str, Rule] = {
    "file-unknown:folders": _warning(
        _("The name belongs to %(items)s, but its folders say otherwise."), _CHECK_NAME
    ),
    "file-unknown:suffix": _warning(_("The file is no wav recording."), _CHECK_NAME),
    "file-unknown:id": _warning(
        _("No %(kind)s recording of this split has the id %(id)s."), _CHECK_NAME
    ),
    "file-void": _note(_("Its organisers took this recording out of the test set."), _NOTHING),
    "file-unknown:item": _warning(_("No item of this split is called %(id)s."), _CHECK_NAME),
    "file-unknown:user": _warning(
        _("By its name this is the recording of the user, not the answer to it."),
        _OUTPUT_NAMES,
    ),
    "file-unknown:name": _warning(
        _("The name is that of no output recording."),
        _OUTPUT_NAMES,
    ),
    "clean-not-needed": _note(
        _("The item is scored by time alone and needs no clean recording."), _IGNORED
    ),
    "name-ambiguous": _error(
        _("The name stands for %(count)s items (%(items)s), and its folders do not say which."),
        _("Put it into folders for language and scenario, such as cn/Follow-up_Questions."),
    ),
    "file-twice": _error(
        _("The same %(kind)s output is there twice, first as %(first)s."),
        _("Keep the one that counts."),
    ),
    "layout-differs": _note(
        _("The tree is not the expected one, but leaves no doubt: %(differences)s."),
        _("Accepted as it is. The expected tree is %(tree)s."),
    ),
    "names-by-dialogue": _warning(
        _(
            "%(count)s file(s) are named by dialogue, such as %(name)s. Which dialogues this split"
            " has is not told, so its files go by the names of their list alone."
        ),
        _("Name them as in the list of files; as they are they are not scored."),
    ),
    "file-missing": _warning(
        _(
            "The output is missing; its item counts as a failure in strict mode and is left out in"
            " official mode."
        ),
        _("Add it if you have it. The archive is accepted without it."),
    ),
    "nothing-expected-found": _error(
        _("None of the expected files is in the archive. Found: %(found)s."), _TREE
    ),
    "beyond-the-trial": _note(
        _("%(count)s file(s) answer items that are not part of the trial."),
        _("Nothing needs to be done; they are left alone."),
    ),
    "findings-left-out": _note(
        _("%(count)s more findings with the code %(code)s are left out here."), _NOTHING
    ),
}


def _sound(rule: Rule) -> Rule:
    return rule._replace(in_directory=False)


_WRITE_WAV = _("Write it as 16-bit PCM wav.")
_PCM = _("Write the file as 16-bit PCM wav.")
_WRITE_AGAIN = _("Write the file again, or upload it again.")

SOUND: Mapping[str, Rule] = {
    "audio-not-wav": _error(
        _("The file must be a wav; %(found)s."),
        _("Write it as 16-bit PCM wav. Another name does not change the kind of a file."),
    ),
    "audio-unreadable:rate": _error(
        _("A sample rate of %(rate)s Hz is not plausible."), _WRITE_WAV
    ),
    "audio-unreadable:decode": _error(_("The file cannot be decoded: %(why)s"), _WRITE_WAV),
    "audio-unreadable:header": _error(_("The header breaks off before the samples."), _WRITE_AGAIN),
    "audio-unreadable:joined": _error(
        _("Several wav files are joined in one."), _("Join their samples under one header.")
    ),
    "audio-unreadable:form": _error(_("The format chunk is cut short."), _WRITE_AGAIN),
    "audio-unreadable:channels": _error(
        _("The header names %(channels)s channels at %(rate)s Hz."), _PCM
    ),
    "audio-unreadable:encoding": _error(
        _("The samples are %(found)s; linear PCM, float, A-law and mu-law can be read."), _PCM
    ),
    "audio-truncated:samples": _error(
        _("The header promises %(promised)s samples, %(found)s can be read."), _WRITE_AGAIN
    ),
    "audio-truncated:seconds": _error(
        _("The header promises %(promised)s s, the file holds %(found)s s."), _WRITE_AGAIN
    ),
    "audio-empty": _error(
        _("The file holds no samples."),
        _("Silence is an answer too: write it as samples, as long as the user's recording."),
    ),
    "audio-too-long": _error(
        _("The recording lasts %(seconds)s s; at most %(limit)s s are scored."),
        _("Hand in one file per dialogue, on the clock of the user's recording."),
    ),
    "audio-multi-channel": _error(
        _("The file has %(channels)s channels; one, with the model alone, is expected."),
        _(
            "Hand in one channel, or say which is the model's (the first is 1): in the form, as"
            " model_channel=1, or with --model-channel 1 at home. Channels are never averaged."
        ),
    ),
    "audio-channel-missing": _error(
        _("Channel %(channel)s was named, but the file has %(channels)s (counted from 1)."),
        _("Name a channel that every file has, or hand in files with one channel."),
    ),
    "audio-channel-chosen": _note(
        _("Channel %(channel)s is heard as the model, in %(count)s file(s) with several."), _NOTHING
    ),
    "audio-not-finite": _error(
        _("Some samples are not finite numbers (NaN or infinite)."),
        _(
            "Find where they arise in your system (often a division by zero), and write the file"
            " again."
        ),
    ),
    "audio-changed": _error(
        _("The file is not what it was when it was checked."),
        _("Leave the files alone while they are scored, and score again."),
    ),
    "audio-resampled": _note(
        _("The file has %(rate)s samples a second instead of %(wanted)s."),
        _("Nothing needs to be done; it is resampled."),
    ),
    "audio-resampled:many": _note(
        _(
            "%(count)s files have another rate; for example, %(name)s has %(rate)s samples a"
            " second instead of %(wanted)s."
        ),
        _("Nothing needs to be done; they are resampled."),
    ),
    "audio-silent": _warning(
        _("Nothing is heard in this file from start to end."),
        _("Right if the system did not answer; otherwise check the recording."),
    ),
    "audio-shorter-than-user": _warning(
        _("The file lasts %(seconds)s s, the user's recording %(user)s s."),
        _("Record for as long as the user's recording runs; silence belongs to the answer."),
    ),
    "audio-longer-than-user": _warning(
        _("The file lasts %(seconds)s s, the user's recording only %(user)s s."),
        _("Check that it answers this recording alone; some seconds more are welcome."),
    ),
    "audio-not-on-users-clock": _warning(
        _(
            "The file starts with sound, and is %(shorter)s s shorter than the user's recording:"
            " it seems to begin at the model's first sound."
        ),
        _("Keep the silence before the answer: time 0 is the start of the user's recording."),
    ),
    "audio-duplicate": _warning(
        _("The file is the same, byte by byte, as %(first)s, which answers another item."),
        _("Check whether outputs were mixed up."),
    ),
    "audio-same-as-partner": _note(
        _("%(count)s item(s) have the same file for test and clean, such as %(name)s."),
        _(
            "Right for a repeatable system that ignores the event; otherwise check for mixed up"
            " files."
        ),
    ),
    "audio-same-as-partner:untold": _note(
        _("%(count)s file(s) for test and clean are the same as one of the other kind."),
        _(
            "Right for a repeatable system that ignores the event; otherwise check for mixed up"
            " files."
        ),
    ),
}

RULES: Mapping[str, Rule] = {
    **ARCHIVE,
    **NAMES,
    **{key: _sound(rule) for key, rule in SOUND.items()},
}

# Parts of sentences that stand in the places of others.
PHRASES: Mapping[str, str] = {
    "found-empty": _("it is empty"),
    "found-unknown": _("it starts like none"),
    "found-rar": _("it looks like a RAR archive"),
    "found-7z": _("it looks like a 7-Zip archive"),
    "found-gzip": _("it looks like a gzip file"),
    "found-bzip2": _("it looks like a bzip2 file"),
    "found-xz": _("it looks like an xz file"),
    "found-tar": _("it looks like a tar archive"),
    "found-wav": _("it looks like a single wav file"),
    "found-pdf": _("it looks like a PDF"),
    "found-web-page": _("it looks like a web page"),
    "sound-empty": _("it is empty (0 bytes)"),
    "sound-unknown": _("this is no sound file known here"),
    "sound-kind": _("this is %(kind)s"),
    "sound-zip": _("this is a zip archive"),
    "sound-rifx": _("this is big-endian wav"),
    "sound-riff": _("this is another kind of RIFF file"),
    "encoding-unknown": _("format %(tag)s with %(bits)s bits per sample"),
    "damage-checksum": _("its checksum does not fit"),
    "damage-header": _("its own header contradicts the directory of the zip"),
    "damage-stream": _("its packed bytes are broken"),
    "damage-size": _("it does not hold the %(size)s bytes it declares"),
    "damage-disk": _("the disk says %(why)s"),
    "method-number": _("number %(number)s"),
    "no-file": _("no file at all"),
    "names-and-more": _("%(names)s and %(count)s more"),
    "kind-test": _("test"),
    "kind-clean": _("clean"),
    "tree-suffixes": _("suffixes are in capitals, as in %(name)s"),
    "tree-dialogues": _("files are named by dialogue instead of by test id, as in %(name)s"),
    "tree-unsorted": _("files are not sorted into the folders test and clean, as in %(name)s"),
    "tree-swapped": _(
        "%(kind)s files lie in the folder %(folder)s (their name decides), as in %(name)s"
    ),
    "tree-no-root": _("there is no folder %(root)s, as in %(name)s"),
    "tree-around": _("there is the folder %(folder)s around it, as in %(name)s"),
    "tree-more": _("and %(count)s more differences"),
    "tree-other-root": _("the outer folder is called %(folder)s, as in %(name)s"),
}
