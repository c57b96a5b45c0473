"""Hand in an archive and wait for its numbers: python upload_and_wait.py SITE SPLIT TEAM SYSTEM ZIP

Needs the package requests, and a token of scope "submit" in LEADERBOARD_TOKEN.
"""

import os
import sys
import time

import requests

site, split, team, system, path = sys.argv[1:]
http = requests.Session()
http.headers["Authorization"] = f"Bearer {os.environ['LEADERBOARD_TOKEN']}"

with open(path, "rb") as archive:
    answer = http.post(
        f"{site}/uploads/plain/",
        params={"split": split, "team": team, "system": system, "name": os.path.basename(path)},
        data=archive,
    )
if not answer.ok:
    sys.exit("{rule} {cure}".format(**answer.json()))

address = f"{site}/api/v1/submissions/{answer.json()['submission']}"
state = "received"
while state in ("received", "checking", "queued", "scoring"):
    time.sleep(float(os.environ.get("LEADERBOARD_PAUSE", "10")))
    found = http.get(address).json()
    state = found["submission"]["state"]
    print(state, found["progress"]["next"])

if found["results"]:
    for mode, result in found["results"].items():
        totals = result["totals"]
        print(mode, totals["interruption"], totals["rejection"], totals["delay"])
