"""A hand-made tus client for tests, and a split that takes uploads."""

import base64
import hashlib

HEADERS = {"Tus-Resumable": "1.0.0"}
BODY = "application/offset+octet-stream"


def metadata(**values):
    pairs = [f"{key} {base64.b64encode(text.encode()).decode()}" for key, text in values.items()]
    return ",".join(pairs)


class Sender:
    """Speaks tus through Django's test client, with whatever log-in that has."""

    def __init__(self, client, split, team, **headers):
        self.client, self.split, self.team = client, split, team
        self.headers = HEADERS | headers

    def begin(self, length, data=None, **said):
        wish = {"filename": "HD-Track2.zip", "split": self.split.slug, "team": self.team.slug}
        wish |= {"system": "Parrot", **said}
        headers = {"Upload-Length": str(length), "Upload-Metadata": metadata(**wish)}
        body = {} if data is None else {"data": data, "content_type": BODY}
        return self.client.post("/uploads/", headers=self.headers | headers, **body)

    def open(self, length, **said):
        answer = self.begin(length, **said)
        assert answer.status_code == 201, answer.content
        return answer["Location"].removeprefix("http://testserver")

    def patch(self, url, offset, data, **headers):
        return self.client.patch(
            url,
            data=data,
            content_type=BODY,
            # Without a body Django's client would leave the content type out.
            headers=self.headers | {"Upload-Offset": str(offset), "Content-Type": BODY} | headers,
        )

    def head(self, url):
        return self.client.head(url, headers=self.headers)

    def delete(self, url):
        return self.client.delete(url, headers=self.headers)

    def send(self, data, **said):
        """Upload all at once; return the last answer."""
        return self.patch(self.open(len(data), **said), 0, data)


def digest_header(data, algorithm="sha1"):
    digest = hashlib.new(algorithm, data).digest()
    return {"Upload-Checksum": f"{algorithm} {base64.b64encode(digest).decode()}"}
