package im.zonda.bench.command;

import im.zonda.bench.result.Result;
import java.io.PrintWriter;
import java.util.Locale;

/// The findings of a run, for a terminal.
final class ResultText {
  private static final double FEW = 10;
  private static final double MANY = 1_000;

  private ResultText() {}

  static void print(PrintWriter out, String name, Result result) {
    out.printf(Locale.ROOT, "%n%s, %.0f s measured%n", name, result.run().seconds());
    for (Result.Verdict verdict : result.verdicts()) {
      out.println((verdict.met() ? "  ok   " : "  FAIL ") + verdict.sentence());
    }
    for (Result.Figure figure : result.figures()) {
      out.printf(
          Locale.ROOT, "  %10s %-4s %s%n", number(figure.value()), figure.unit(), figure.label());
    }
    result.notes().forEach(note -> out.println("  note: " + note));
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    String form = Math.abs(value) < FEW ? "%.3f" : Math.abs(value) < MANY ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, form, value);
  }
}
