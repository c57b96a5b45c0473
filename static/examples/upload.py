"""Upload an archive as a submission, through a poor line if need be.

    pip install tuspy==1.1.0
    export TOKEN=fdl_…           (a token that may submit, from your account page)
    python upload.py HD-Track2.zip --site https://… --split dev --team my-team --system MySystem

Run it again after it was stopped: it goes on where it was. Prints the address of the submission.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from urllib.parse import urljoin

import requests
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError
from tusclient.storage.filestorage import FileStorage

PIECE = 8 * 2**20
BUSY, GONE = (409, 423, 429), (404, 410)


def main() -> None:
    """Upload, with as much patience as it takes."""
    wanted = arguments()
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    client = TusClient(urljoin(wanted.site, "/uploads/"), headers=headers)
    while True:
        try:
            sys.stdout.write(f"{upload(client, wanted)}\n")
            return
        except TusCommunicationError as error:
            stop_if_final(error, begun(wanted))
            say(f"{error}; trying again")
        except requests.RequestException as error:
            say(f"{error}; trying again")
        time.sleep(wanted.wait)


def stop_if_final(error: TusCommunicationError, note: Path) -> None:
    """A refusal is final; a lost line, a busy server and an expired upload are not."""
    status = error.status_code or 0
    if status in GONE:
        note.unlink(missing_ok=True)
    elif 400 <= status < 500 and status not in BUSY:
        sys.exit(f"Refused: {(error.response_content or b'').decode()}")


def upload(client: TusClient, wanted: argparse.Namespace) -> str:
    """Send what is missing; return the address of the submission."""
    uploader = client.uploader(
        str(wanted.archive),
        chunk_size=PIECE,
        store_url=True,
        url_storage=FileStorage(str(begun(wanted))),
        metadata={
            "filename": wanted.archive.name,
            "split": wanted.split,
            "team": wanted.team,
            "system": wanted.system,
            "trial": "1" if wanted.trial else "",
            "model_channel": wanted.model_channel,
        },
    )
    while uploader.offset < uploader.get_file_size():
        uploader.upload_chunk()
        say(f"{uploader.offset:,} of {uploader.get_file_size():,} bytes")
    said = requests.head(uploader.url, headers=uploader.get_headers(), timeout=60).headers
    begun(wanted).unlink()
    if "Submission-Location" not in said:
        sys.exit("Everything has arrived, but it could not be submitted; see the submit page.")
    return urljoin(wanted.site, said["Submission-Location"])


def begun(wanted: argparse.Namespace) -> Path:
    """Where the address of an unfinished upload is noted."""
    return Path(f"{wanted.archive}.begun.json")


def say(text: str) -> None:
    """Tell the person who watches."""
    sys.stderr.write(f"{text}\n")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=Path)
    for name in ("site", "split", "team", "system"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--trial", action="store_true", help="a private dry run on a few items")
    parser.add_argument(
        "--model-channel", default="", help="of recordings with several channels, from 1"
    )
    parser.add_argument("--wait", type=float, default=10, help="seconds between two tries")
    return parser.parse_args()


if __name__ == "__main__":
    main()
