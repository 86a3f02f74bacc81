package im.zonda.console.chart;

/// The path of a line in a drawing.
///
/// @param width of the drawing
/// @param height of the drawing
record Curve(int width, int height) {
  /// The path of the line, in the language of SVG: gaps where there are no values; a value alone is
  /// a point.
  ///
  /// @param top what the upper edge stands for; the lower is zero
  String line(double[] values, double top) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i])) {
        drawing = false;
        continue;
      }
      point(path.append(drawing ? 'L' : 'M'), i, values, top);
      boolean alone = !drawing && (i + 1 == values.length || Double.isNaN(values[i + 1]));
      if (alone) {
        path.append("h0");
      }
      drawing = true;
    }
    return path.toString();
  }

  /// The path of what is below the line.
  String area(double[] values, double top) {
    StringBuilder path = new StringBuilder();
    int from = 0;
    while (from < values.length) {
      if (Double.isNaN(values[from])) {
        from++;
        continue;
      }
      int to = from;
      path.append('M').append(x(from, values.length)).append(' ').append(height);
      while (to < values.length && !Double.isNaN(values[to])) {
        point(path.append('L'), to, values, top);
        to++;
      }
      path.append('L').append(x(to - 1, values.length)).append(' ').append(height).append('Z');
      from = to;
    }
    return path.toString();
  }

  private void point(StringBuilder path, int index, double[] values, double top) {
    double share = Math.clamp(values[index] / top, 0, 1);
    path.append(x(index, values.length)).append(' ').append(height - Math.round(height * share));
  }

  private long x(int index, int count) {
    return count < 2 ? 0 : Math.round((double) width * index / (count - 1));
  }
}
