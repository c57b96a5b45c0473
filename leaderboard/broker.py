"""The folder as a queue: kombu's transport, with messages that appear whole or not at all.

Kombu opens a message under its final name and writes it then; a worker that looks in between reads
an empty message and dies. Here it is written beside the queue and moved in, which is atomic.
"""

import os
import uuid
from pathlib import Path
from time import time_ns
from typing import Any

from kombu.transport import filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """A channel whose messages are complete as soon as they can be seen."""

    # Kombu's two parent classes call the message by different names, so no name fits both.
    def _put(self, queue: Any, payload: Any, **_kwargs: Any) -> None:  # type: ignore[override]
        """Put a message into a queue; names sort by age, as the reading side expects."""
        folder = Path(self.data_folder_out)
        unseen = folder / f"{uuid.uuid4()}.unfinished"
        unseen.write_bytes(str_to_bytes(dumps(payload)))
        os.replace(unseen, folder / f"{time_ns()}_{uuid.uuid4()}.{queue}.msg")


class Transport(filesystem.Transport):
    """Kombu's folder transport with such channels."""

    Channel = Channel
