// The cursor of charts: the mouse, a finger, or the arrow keys move it, and the values at its place
// are written below, where programs that read aloud find them. The drawing itself needs no script.

const language = document.documentElement.lang || 'en';
const WIDTH = 1000;
const HEIGHT = 200;

function number(value, digits) {
  return new Intl.NumberFormat(language, {maximumFractionDigits: value >= 100 ? 0 : digits}).format(value);
}

function size(value) {
  let unit = -1;
  for (; value >= 1024 && unit < 4; unit++) {
    value /= 1024;
  }
  return unit < 0 ? `${number(value, 0)} B` : `${number(value, value < 10 ? 1 : 0)} ${'KMGTP'[unit]}iB`;
}

function seconds(value) {
  if (value === 0 || value >= 1) {
    return `${number(value, 1)} s`;
  }
  return value >= 0.001 ? `${number(value * 1e3, 1)} ms` : `${number(value * 1e6, 0)} µs`;
}

const UNITS = {
  count: value => number(value, 1),
  rate: value => `${number(value, 1)}/s`,
  seconds,
  bytes: size,
  'byte-rate': value => `${size(value)}/s`,
  cores: value => number(value, 2),
};

/** The values of a chart as they are now: live figures replace them. */
function read(plot) {
  const [begin, step, ...lines] = plot.dataset.values.split(';');
  return {
    begin: Number(begin),
    step: Number(step),
    lines: lines.map(line => line.split(',').map(each => (each === '' ? NaN : Number(each)))),
  };
}

function prepare(plot) {
  const chart = plot.closest('.chart');
  const svg = plot.querySelector('svg');
  const reading = chart.querySelector('.reading');
  const names = [...chart.querySelectorAll('.what')].map(each => each.textContent);
  const cursor = svg.querySelector('.cursor');
  const marks = [...svg.querySelectorAll('.mark')];
  let back = -1; // steps before the newest, so that the cursor stays at its distance from now

  function heights(line) {
    // Where the line is drawn at each step, which is what the marks are put on.
    const heights = new Map();
    const path = svg.querySelectorAll('.line')[line].getAttribute('d');
    for (const [, x, y] of path.matchAll(/[ML](\d+) (\d+)/g)) {
      heights.set(Number(x), y);
    }
    return heights;
  }

  function show(values) {
    const count = values.lines[0].length;
    const at = count - 1 - back;
    const x = Math.round((WIDTH * at) / (count - 1));
    const time = new Date((values.begin + at * values.step) * 1000);
    cursor.setAttribute('d', `M${x} 0V${HEIGHT}`);
    marks.forEach((mark, line) => {
      const y = heights(line).get(x);
      mark.setAttribute('d', y === undefined ? '' : `M${x} ${y}h0`);
    });
    const texts = values.lines.map((line, i) => {
      const value = line[at];
      return `${names[i]} ${Number.isNaN(value) ? '–' : UNITS[plot.dataset.plot](value)}`;
    });
    const day = values.step > 60 ? `${time.toISOString().slice(0, 10)} ` : '';
    reading.textContent = `${day}${time.toISOString().slice(11, values.step < 60 ? 19 : 16)} UTC: ${texts.join(', ')}`;
  }

  function hide() {
    back = -1;
    cursor.setAttribute('d', '');
    marks.forEach(mark => mark.setAttribute('d', ''));
    reading.textContent = '';
  }

  function move(to) {
    const values = read(plot);
    back = Math.max(0, Math.min(values.lines[0].length - 1, to));
    show(values);
  }

  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-label', `${chart.querySelector('figcaption').textContent} ${plot.dataset.hint}`);
  plot.addEventListener('keydown', event => {
    const count = read(plot).lines[0].length;
    const now = Math.max(back, 0);
    const to = {
      ArrowLeft: back < 0 ? 0 : now + 1, ArrowRight: now - 1, PageUp: now + 10, PageDown: now - 10,
      Home: count - 1, End: 0,
    }[event.key];
    if (event.key === 'Escape') {
      hide();
    } else if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      move(to);
    }
  });
  plot.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    const count = read(plot).lines[0].length;
    const at = Math.round(((event.clientX - box.left) / box.width) * (count - 1));
    move(count - 1 - at);
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
}

document.querySelectorAll('[data-plot]').forEach(prepare);
