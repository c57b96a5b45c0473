// Adds the reader's own time to moments that stand in UTC and AoE; without this they stay complete.
for (const moment of document.querySelectorAll("time[data-own]")) {
  const date = new Date(moment.dateTime);
  if (Number.isNaN(date.valueOf())) continue;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Swedish writes dates as the page does: 2026-12-01 23:59.
  const text = date.toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
  const own = document.createElement("span");
  own.className = "own-time";
  own.textContent = ` · ${text} ${moment.dataset.own} (${zone})`;
  moment.append(own);
}
