"""Every page of the site, by name: its address with the demonstration's objects, and its reader.

A new page belongs into this list; what looks at every page looks at these.
"""

from typing import NamedTuple

from tests.browser.demo_site import PERSON, STAFF


class Page(NamedTuple):
    """A page; ``path`` follows the language and names objects of the demonstration in braces."""

    name: str
    path: str
    reader: str = ""
    status: int = 200

    def address(self, site, language):
        return f"{site.url}/{language}/{self.path.format(**site.facts)}"


BOARD = (
    Page("home", ""),
    Page("home-other-view", "?sort=delay&pin=baseline,helloworld&diff=1&kind=participant"),
    Page("home-weights", "?w=60&w=20&w=20"),
    Page("home-nothing-found", "?q=nobody"),
    Page("split", "split/demo/"),
    Page("board", "board/{first_board}/"),
    Page("embed", "embed/board/"),
    Page("boards", "boards/"),
    Page("boards-difference", "boards/difference/?a={first_board}&b={board}"),
)
NUMBERS = (
    Page("scenario", "scenario/follow_up/?split=demo"),
    Page("scenario-rejection", "scenario/third_party/?split=demo"),
    Page("scenario-reported", "scenario/follow_up/"),
    Page("compare", "compare/?split=demo"),
    Page("compare-two", "compare/?split=demo&s={prompt}&s={jumpy}"),
    Page("system", "system/{system}/"),
    Page("system-reported", "system/unity-squad/"),
    Page("submission", "submission/{steamroller}/"),
    Page("items", "items/demo/?sys={prompt},{jumpy}"),
    Page("items-of-nobody", "items/demo/"),
    Page("item", "item/demo/{item}/?sys={steamroller}"),
    Page("item-of-three", "item/demo/{item}/?sys={steamroller},{prompt},{jumpy}"),
    Page("item-of-nobody", "item/demo/{item}/"),
)
TEXTS = (
    Page("methodology", "methodology/"),
    Page("rules", "rules/"),
    Page("faq", "faq/"),
    Page("how-to-submit", "how-to-submit/"),
    Page("api", "api/"),
    Page("data", "data/"),
    Page("changelog", "changelog/"),
    Page("not-found", "nowhere/", status=404),
)
DOORS = (
    Page("login", "account/login/"),
    Page("signup", "account/signup/"),
    Page("password-reset", "account/password/reset/"),
    Page("password-reset-sent", "account/password/reset/done/"),
)
INSIDE = (
    Page("submit", "submit/?split=demo", PERSON),
    Page("my", "my/", PERSON),
    Page("submission-running", "submission/{running}/", PERSON),
    Page("submission-refused", "submission/{refused}/", PERSON),
    Page("withdraw", "submission/{refused}/withdraw/", PERSON),
    Page("teams", "teams/", PERSON),
    Page("team", "team/wonderland/", PERSON),
    Page("system-new", "team/wonderland/systems/new/", PERSON),
    Page("system-edit", "team/wonderland/systems/{own_system}/", PERSON),
    Page("tokens", "account/tokens/", PERSON),
    Page("mail-settings", "account/mail/", PERSON),
    Page("email", "account/email/", PERSON),
    Page("password-change", "account/password/change/", PERSON),
    Page("second-factor", "account/2fa/", PERSON),
    Page("is-it-you", "account/2fa/totp/activate/", PERSON),
    Page("other-accounts", "account/3rdparty/", PERSON),
    Page("logout", "account/logout/", PERSON),
    Page("not-allowed", "organise/", PERSON, status=403),
    Page("home-of-staff", "", STAFF),
    Page("item-of-staff", "item/demo/{item}/?sys={steamroller}", STAFF),
    Page("submission-of-staff", "submission/{steamroller}/", STAFF),
)
PAGES = BOARD + NUMBERS + TEXTS + DOORS + INSIDE
