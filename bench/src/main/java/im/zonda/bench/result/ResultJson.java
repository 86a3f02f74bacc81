package im.zonda.bench.result;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes and reads the file `run.json`: a member `schema` with the version of the format, and a
/// member for each component of [Result], by the same names. A figure that is not a number is null.
/// Values of series have six significant digits.
public final class ResultJson {
  /// The name of the file in the folder of a run.
  public static final String FILE = "run.json";

  private static final int DIGITS = 6;

  private ResultJson() {}

  /// A result as JSON for people too: one line for each member.
  public static String text(Result result) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("schema", Result.SCHEMA);
    Result rounded =
        new Result(
            result.run(),
            result.machine(),
            result.subject(),
            result.figures(),
            result.latencies(),
            result.series().stream().map(ResultJson::rounded).toList(),
            result.marks(),
            result.verdicts(),
            result.tables(),
            result.notes());
    if (RecordJson.data(rounded) instanceof Map<?, ?> data) {
      data.forEach((name, value) -> members.put(name.toString(), value));
    }
    return JsonText.indented(members);
  }

  private static Result.Series rounded(Result.Series series) {
    double[] values = Arrays.stream(series.values()).map(ResultJson::rounded).toArray();
    return new Result.Series(series.name(), series.label(), series.unit(), series.panel(), values);
  }

  private static double rounded(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(DIGITS)).doubleValue()
        : Double.NaN;
  }

  /// Reads such a text. Of a newer version of the format, members that are unknown here are left
  /// out, and a note says so.
  ///
  /// @throws IllegalArgumentException with the place of an error
  public static Result result(String text) {
    Map<String, @Nullable Object> members = JsonReader.object(text);
    if (!(members.remove("schema") instanceof Long schema) || schema < 1) {
      throw new IllegalArgumentException("schema is missing: the file is no result of a run");
    }
    RecordJson json = new RecordJson(schema <= Result.SCHEMA);
    Result result = json.record(Result.class, members, "");
    if (json.unknown().isEmpty()) {
      return result;
    }
    List<String> notes = new ArrayList<>(result.notes());
    notes.add(
        "The file is of version "
            + schema
            + " of the format. Unknown here, and left out: "
            + String.join(", ", json.unknown())
            + ".");
    return new Result(
        result.run(),
        result.machine(),
        result.subject(),
        result.figures(),
        result.latencies(),
        result.series(),
        result.marks(),
        result.verdicts(),
        result.tables(),
        List.copyOf(notes));
  }

  /// Writes a file.
  public static void write(Path file, Result result) throws IOException {
    Files.writeString(file, text(result));
  }

  /// Reads a file.
  ///
  /// @throws IllegalArgumentException with the file and the place of an error
  public static Result read(Path file) throws IOException {
    try {
      return result(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /// Reads the results of a run: of a file, of a folder that holds `run.json`, or of a folder whose
  /// folders hold one each, one for a server, in the order in which they were begun.
  ///
  /// @return at least one
  /// @throws IllegalArgumentException if there is none, or with the file and the place of an error
  public static List<Result> readAll(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(read(path));
    } else if (Files.exists(path.resolve(FILE))) {
      return List.of(read(path.resolve(FILE)));
    }
    List<Path> files;
    try (Stream<Path> folders = Files.list(path)) {
      files = folders.map(folder -> folder.resolve(FILE)).filter(Files::exists).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(path + " holds no " + FILE);
    }
    List<Result> results = new ArrayList<>();
    for (Path file : files) {
      results.add(read(file));
    }
    results.sort(Comparator.comparing((Result result) -> result.run().started()));
    return results;
  }
}
