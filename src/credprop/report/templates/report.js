"use strict";
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const plots = [...document.querySelectorAll("[data-figure]")];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const print = matchMedia("print");
  const touch = matchMedia("(pointer: coarse)").matches;

  // Colors of text and grid are the page's own, read when a plot is drawn.
  const template = () => {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    const axis = {
      gridcolor: value("--grid"), zerolinecolor: value("--line"), linecolor: value("--line"),
      tickcolor: value("--line"), title: { font: { size: 12, color: value("--soft") }, standoff: 8 },
    };
    const outlined = { marker: { line: { color: value("--ink") } } };
    return { data: { scatter: [outlined] }, layout: {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: style.fontFamily, size: 12, color: value("--ink") },
      xaxis: axis, yaxis: axis,
      hoverlabel: {
        bgcolor: value("--card"), bordercolor: value("--line"), align: "left",
        font: { color: value("--ink"), family: style.fontFamily, size: 12 },
      },
      annotationdefaults: { bgcolor: value("--veil"), font: { size: 12, color: value("--ink") } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: value("--soft"), activecolor: value("--ink") },
    } };
  };

  const draw = (plot) => {
    const name = plot.dataset.figure;
    const { data, layout } = figures[name];
    if (touch) layout.dragmode = false; // a finger scrolls the page
    if (name === "map" && plot.clientWidth < 600) {
      for (const { marker } of data) if (Array.isArray(marker.size)) marker.size = marker.size.map((size) => 0.65 * size);
    }
    return Plotly.newPlot(plot, data, { ...layout, autosize: true, template: template() }, {
      responsive: true, displaylogo: false, displayModeBar: name === "map" && !touch,
      modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
    });
  };
  const recolor = () => plots.forEach((plot) => Plotly.relayout(plot, { template: template() }));

  Promise.all(plots.map(draw)).then(() => { document.documentElement.dataset.drawn = plots.length; });
  dark.addEventListener("change", recolor);
  print.addEventListener("change", recolor);
})();
