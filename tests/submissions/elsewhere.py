"""Log-in through others, to the end: a provider of this machine, and a reader with a browser."""

import json
import re
from contextlib import contextmanager
from urllib.parse import urlencode, urljoin, urlsplit

import requests
from pytest_httpserver import HTTPServer
from werkzeug import Response

SECRET = "a-secret"
ORCID = "orcid.localhost"


class Provider:
    """What GitHub and ORCID have in common: consent, then a token for a code that works once.

    ``faults`` are what it answers to the site instead: to the code, or when asked for the profile.
    """

    consent, exchange = "", ""

    def __init__(self, tls=None):
        self.server = HTTPServer(host="127.0.0.1", ssl_context=tls)
        self.server.expect_request(re.compile("/.*")).respond_with_handler(self.answer)
        self.server.start()
        self.begin_again()

    def begin_again(self):
        self.person, self.denies, self.faults, self.codes = {}, False, {}, {}

    def answer(self, request):
        if request.path == self.consent:
            return self._consented(request.args)
        place = "exchange" if request.path == self.exchange else "profile"
        if place in self.faults:
            return Response(*self.faults[place])
        return self._token(request.form) if place == "exchange" else self.profile(request)

    def _consented(self, asked):
        assert asked["response_type"] == "code"
        code = f"code-{len(self.codes) + 1}"
        self.codes[code] = asked["redirect_uri"]
        said = {"error": "access_denied"} if self.denies else {"code": code}
        query = urlencode(said | {"state": asked["state"]})
        return Response(status=302, headers={"Location": f"{asked['redirect_uri']}?{query}"})

    def _token(self, sent):
        known = self.codes.pop(sent["code"], None)
        if sent["client_secret"] != SECRET or known != sent["redirect_uri"]:
            return _json({"error": "bad_verification_code"})
        return self.token()

    @contextmanager
    def away(self):
        """Nobody answers on its port."""
        self.server.stop()
        try:
            yield
        finally:
            self.server.start()


class GitHub(Provider):
    """``person`` is what the API says: ``login``, ``id`` and a list of ``emails``."""

    consent, exchange = "/login/oauth/authorize", "/login/oauth/access_token"

    def token(self):
        return _json({"access_token": "a-token", "token_type": "bearer"})

    def profile(self, request):
        assert request.headers["Authorization"] == "token a-token"
        if request.path == "/api/v3/user/emails":
            return _json(self.person["emails"])
        public = {name: self.person[name] for name in ("login", "id")}
        return _json(public | {"email": None, "name": None})


class Orcid(Provider):
    """``person`` has an ``id``, and an ``email`` where the record shows one."""

    consent, exchange = "/oauth/authorize", "/oauth/token"

    def token(self):
        told = {"access_token": "a-token", "token_type": "bearer", "orcid": self.person["id"]}
        return _json(told)

    def profile(self, request):
        assert request.path == f"/v3.0/{self.person['id']}/record"
        shown = [{"email": self.person["email"]}] if "email" in self.person else []
        record = {
            "orcid-identifier": {"path": self.person["id"], "uri": f"https://{ORCID}"},
            "person": {"emails": {"email": shown}},
        }
        return _json(record)


class Reader:
    """Somebody with a browser: cookies, forms with their CSRF token, and redirects."""

    def __init__(self, site, bundle, language="en"):
        self.site = site
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = bundle
        self.session.headers["Accept-Language"] = language

    def opens(self, address):
        return self._follow(self._get(address))

    def sends(self, address, **fields):
        return self._follow(self.presses(address, **fields))

    def presses(self, address, **fields):
        """Send a form; the answer as it is, redirects not followed."""
        self.opens("/en/account/login/")
        fields["csrfmiddlewaretoken"] = self.session.cookies["csrftoken"]
        url = urljoin(self.site.url, address)
        return self.session.post(url, data=fields, allow_redirects=False, timeout=30)

    def logs_in(self, name, process="login"):
        """Go through the log-in of a provider to whatever page it ends on."""
        return self._follow(self.presses(f"/account/{name}/login/?process={process}"))

    def comes_back_with(self, name):
        """Go through the consent, and stop before coming back: the address of the way back."""
        consent = self.presses(f"/account/{name}/login/")
        return self._get(consent.headers["Location"]).headers["Location"]

    def is_logged_in(self):
        return self._get("/en/my/").status_code == 200

    def _get(self, address):
        url = urljoin(self.site.url, address).replace(ORCID, "127.0.0.1")
        return self.session.get(url, allow_redirects=False, timeout=30)

    def _follow(self, answer):
        while answer.is_redirect:
            answer = self._get(urljoin(answer.url, answer.headers["Location"]))
        return answer


def path_of(answer):
    return urlsplit(answer.url).path


def _json(said):
    return Response(json.dumps(said), mimetype="application/json")
