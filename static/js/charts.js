// Draws the figures of a page when they come into view; without this file their tables still stand.
const PLOTLY = document.querySelector("script[data-plotly]").dataset.plotly;
// Plotly leaves out style elements whose ids are taken, so that the policy `style-src 'self'` holds;
// what it needs of them is in charts.css.
const STYLES = ["plotly.js-style-global"];
STYLES.push("9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53");
const AXIS = { gridcolor: "var(--line)", zerolinecolor: "var(--line)" };
// One template for both themes: its colours, like those of the figures, are names of tokens.
const LAYOUT = {
  font: { family: "var(--sans)", size: 12, color: "var(--text)" },
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  hoverlabel: { bgcolor: "var(--surface-raised)", bordercolor: "var(--line-strong)" },
  xaxis: AXIS,
  yaxis: AXIS,
};
// Pixels below which a scatter shows the names that find room on a phone.
const NARROW = 560;
const CONFIG = { displayModeBar: false, responsive: true, showTips: false };

let loading;
const load = () =>
  (loading ??= new Promise((resolve, reject) => {
    for (const id of STYLES) {
      const marker = Object.assign(document.createElement("template"), { id });
      marker.className = "no-inline-styles";
      document.head.append(marker);
    }
    const script = Object.assign(document.createElement("script"), { src: PLOTLY });
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  }));

// The narrow drawing has other labels, and says itself how many points bear none.
const narrow = (node, { data, layout }) => {
  for (const one of [...data, layout]) Object.assign(one, one.meta?.narrow);
  const note = layout.meta?.narrow && document.querySelector(`[data-note="${node.dataset.chart}"]`);
  if (note) note.textContent = note.dataset.narrow;
};

const draw = async (node) => {
  await load();
  const ink = getComputedStyle(document.documentElement);
  const colour = (_, name) => ink.getPropertyValue(name).trim();
  const inked = (_, value) =>
    typeof value === "string" ? value.replace(/var\((--[\w-]+)\)/g, colour) : value;
  const figure = JSON.parse(document.getElementById(node.dataset.chart).textContent, inked);
  if (node.clientWidth < NARROW) narrow(node, figure);
  figure.layout.template = JSON.parse(JSON.stringify({ layout: LAYOUT }), inked);
  await window.Plotly.react(node, figure.data, figure.layout, CONFIG);
  node.dataset.drawn = "";
};

const nodes = [...document.querySelectorAll("[data-chart]")];
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    draw(target);
  }
}, { rootMargin: "200px" });
for (const node of nodes) {
  node.style.height = `${node.dataset.height}px`;
  watcher.observe(node);
}
const again = () => nodes.filter((node) => "drawn" in node.dataset).forEach(draw);
new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
