package im.zonda.bench.documents;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The documents and their rows, from tables of the product: fields parted by tabulators, the first
/// line their names.
public final class Documents {
  private static final String ROWS = "id\titem\tthen\tcommand\tfigures\tanswer";
  private static final String DOCUMENTS = "letter\ttitle\tdate\thardware";

  private Documents() {}

  /// The documents in their order.
  public static List<Document> all() {
    return lines("documents-sources.tsv", DOCUMENTS).stream()
        .map(fields -> new Document(fields[0], fields[1], fields[2], fields[3]))
        .toList();
  }

  /// All rows in their order.
  public static List<DocumentRow> rows() {
    return lines("documents.tsv", ROWS).stream().map(Documents::row).toList();
  }

  private static DocumentRow row(String[] fields) {
    List<DocumentRow.Source> sources = new ArrayList<>();
    for (String source : fields[4].isEmpty() ? new String[0] : fields[4].split(" ", -1)) {
      String[] parts = source.split("/", -1);
      if (parts.length != 2) {
        throw new IllegalStateException(fields[0] + ": " + source + " is no SCENARIO/FIGURE");
      }
      sources.add(new DocumentRow.Source(parts[0], parts[1]));
    }
    return new DocumentRow(
        fields[0], fields[1], fields[2], fields[3], List.copyOf(sources), fields[5]);
  }

  private static List<String[]> lines(String name, String head) {
    int columns = head.split("\t", -1).length;
    try (InputStream in = Documents.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the product lacks " + name);
      }
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      if (!lines.getFirst().equals(head)) {
        throw new IllegalStateException(name + " does not begin with its columns");
      }
      return lines.stream().skip(1).map(line -> fields(name, line, columns)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }

  private static String[] fields(String name, String line, int columns) {
    String[] fields = line.split("\t", -1);
    if (fields.length != columns) {
      throw new IllegalStateException(name + " has not " + columns + " fields in: " + line);
    }
    return Arrays.stream(fields).map(String::strip).toArray(String[]::new);
  }
}
