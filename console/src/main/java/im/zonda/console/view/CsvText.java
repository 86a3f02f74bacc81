package im.zonda.console.view;

import java.util.List;

/// Lines of comma-separated values (RFC 4180).
public final class CsvText {
  private CsvText() {}

  /// A line. A value that a spreadsheet would take for a formula begins with an apostrophe.
  public static String line(List<String> values) {
    StringBuilder line = new StringBuilder();
    for (String value : values) {
      if (!line.isEmpty()) {
        line.append(',');
      }
      line.append('"').append(harmless(value).replace("\"", "\"\"")).append('"');
    }
    return line.append("\r\n").toString();
  }

  private static String harmless(String value) {
    boolean formula = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
    return formula && !value.matches("-?\\d+(\\.\\d+)?") ? "'" + value : value;
  }
}
