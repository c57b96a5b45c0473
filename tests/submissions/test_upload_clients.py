"""Real clients against a real server: tuspy, curl and the example script, over a bad line."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from tusclient.client import TusClient

from tests.served import ROOT, Line, serving
from tests.submissions.sending import metadata

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "static" / "examples" / "upload.py"
MIB = 2**20


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def archive(tmp_path):
    return made(tmp_path / "HD-Track2.zip", 40 * MIB)


def made(path, size, seed=1):
    """A zip whose directory is right; what its files hold does not matter to an upload."""
    source = random.Random(seed)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(size // MIB):
            name = f"HD-Track2/test/{number:04d}_0001_output.wav"
            archive.writestr(name, source.randbytes(MIB))
    return path


def facts(path):
    """Size and SHA-256, as the receipt must say them."""
    return path.stat().st_size, sha256(path)


def sha256(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def example(url, key, archive):
    options = ["--split", "dev", "--team", "wonderland", "--system", "Parrot", "--wait", "0.2"]
    command = [sys.executable, str(EXAMPLE), str(archive), "--site", url, *options]
    return subprocess.Popen(
        command, env=os.environ | {"TOKEN": key}, stdout=subprocess.PIPE, text=True
    )


def test_ten_cuts_and_a_killed_server_leave_the_file_whole(site, archive):
    line = Line(site.port, sorted(random.Random(7).sample(range(MIB, 39 * MIB), 10)))
    client = example(line.url, site.key, archive)
    while line.broken < 5:
        assert client.poll() is None, "the client gave up"
        time.sleep(0.01)
    site.kill()
    time.sleep(0.5)
    site.start()
    printed, _ = client.communicate(timeout=120)
    line.close()
    assert client.returncode == 0
    assert line.broken >= 10
    assert "/submission/" in printed
    assert site.submissions()[-1] == facts(archive)


def test_a_stopped_client_goes_on_where_it_was(site, archive):
    line = Line(site.port, speed=20 * MIB)
    first = example(line.url, site.key, archive)
    note = Path(f"{archive}.begun.json")
    while line.sent < 12 * MIB:
        assert first.poll() is None
        time.sleep(0.01)
    first.kill()
    first.communicate()
    line.cut()
    assert note.exists()
    line.speed, line.sent = None, 0
    second = example(line.url, site.key, archive)
    assert second.communicate(timeout=60)[0].startswith(line.url)
    line.close()
    assert 25 * MIB < line.sent < 33 * MIB
    assert not note.exists()
    assert site.submissions()[-1] == facts(archive)


def test_a_refused_client_is_told_why(site, archive):
    client = subprocess.run(
        [sys.executable, str(EXAMPLE), str(archive), "--site", site.url, "--split", "nowhere",
         "--team", "wonderland", "--system", "Parrot"],
        env=os.environ | {"TOKEN": site.key}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert client.returncode == 1
    assert "split-unknown" in client.stderr


def test_pieces_with_checksums_arrive(site, tmp_path):
    archive = made(tmp_path / "small.zip", 2 * MIB, seed=3)
    client = TusClient(f"{site.url}/uploads/", headers={"Authorization": f"Bearer {site.key}"})
    said = {"filename": "small.zip", "split": "dev", "team": "wonderland", "system": "Parrot"}
    client.uploader(str(archive), chunk_size=MIB // 2, metadata=said, upload_checksum=True).upload()
    assert site.submissions()[-1] == facts(archive)


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_curl_sends_an_archive_with_one_command(site, archive):
    url = f"{site.url}/uploads/plain?split=dev&team=wonderland&system=Parrot&name=my.zip"
    command = ["curl", "-sS", "-T", str(archive), "-H", f"Authorization: Bearer {site.key}", url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["page"].endswith(f"/submission/{answer['submission']}/")
    assert site.submissions()[-1] == facts(archive)


def test_a_plain_upload_that_breaks_off_can_be_gone_on_with(site, archive):
    line = Line(site.port, [10 * MIB])
    headers = {"Authorization": f"Bearer {site.key}"}
    with archive.open("rb") as file, pytest.raises(requests.ConnectionError):
        requests.put(
            f"{line.url}/uploads/plain?split=dev&team=wonderland&system=Broken",
            data=file, headers=headers, timeout=60,
        )  # fmt: skip
    line.close()
    pk = site.ask(
        "from submissions.models import Upload\nprint(Upload.objects.get(system__name='Broken').pk)"
    )
    url = f"{site.url}/uploads/{pk}/"
    tus = headers | {"Tus-Resumable": "1.0.0"}
    offset = int(requests.head(url, headers=tus, timeout=60).headers["Upload-Offset"])
    assert 8 * MIB < offset <= 10 * MIB + 65536
    rest = archive.read_bytes()[offset:]
    body = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
    answer = requests.patch(url, data=rest, headers=tus | body, timeout=60)
    assert "/submission/" in answer.headers["Submission-Location"]
    assert site.submissions()[-1] == facts(archive)


def test_a_connection_that_hangs_blocks_nobody(site, tmp_path):
    """A dead line looks like one on which nothing comes; the next one must not wait for it."""
    archive = made(tmp_path / "small.zip", 4 * MIB, seed=5)
    data = archive.read_bytes()
    headers = {"Authorization": f"Bearer {site.key}", "Tus-Resumable": "1.0.0"}
    said = metadata(filename="s.zip", split="dev", team="wonderland", system="Parrot")
    announced = {"Upload-Length": str(len(data)), "Upload-Metadata": said}
    begun = requests.post(f"{site.url}/uploads/", headers=headers | announced, timeout=60)
    url = begun.headers["Location"]
    body = headers | {"Content-Type": "application/offset+octet-stream"}
    hanging = HTTPConnection("127.0.0.1", site.port, timeout=60)
    hanging.putrequest("PATCH", urlsplit(url).path)
    for name, value in (body | {"Upload-Offset": "0", "Content-Length": str(2 * MIB)}).items():
        hanging.putheader(name, value)
    hanging.endheaders(data[:MIB])
    offset, end = 0, time.monotonic() + 30
    while offset < MIB and time.monotonic() < end:
        offset = int(requests.head(url, headers=headers, timeout=60).headers["Upload-Offset"])
    assert offset == MIB
    answer = requests.patch(
        url, data=data[offset:], headers=body | {"Upload-Offset": str(offset)}, timeout=60
    )
    assert "/submission/" in answer.headers["Submission-Location"]
    hanging.send(data[MIB : 2 * MIB])
    assert hanging.getresponse().status == 409
    hanging.close()
    assert site.submissions()[-1] == facts(archive)
